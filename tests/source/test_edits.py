import pytest

from proofyard.source import mutate


def changed(statement: str, operator: str) -> list[str]:
    """The mutants of one operator of a statement in a function, as statements."""
    text = f"def f(a, b, c):\n    {statement}\n"
    return [
        m.text.removeprefix("def f(a, b, c):\n    ").removesuffix("\n") for m in mutate(text) if m.operator == operator
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a + b", "a - b"),
        ("a - b", "a + b"),
        ("a * b", "a // b"),
        ("a / b", "a * b"),
        ("a // b", "a * b"),
        ("a % b", "a // b"),
        ("a ** b", "a * b"),
        ("a << b", "a >> b"),
        ("a >> b", "a << b"),
        ("a & b", "a | b"),
        ("a | b", "a & b"),
        ("a ^ b", "a | b"),
        ("-a", "a"),
        ("(a)  # + \\\n + (b)", "(a)  # + \\\n - (b)"),
    ],
)
def test_arithmetic(old: str, new: str) -> None:
    assert changed(f"f(({old}))", "arithmetic") == [f"f(({new}))"]


def test_arithmetic_in_place() -> None:
    assert changed("a += b", "arithmetic") == ["a -= b"]
    assert changed("a //= b", "arithmetic") == ["a *= b"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a < b", "a <= b"),
        ("a <= b", "a < b"),
        ("a > b", "a >= b"),
        ("a >= b", "a > b"),
        ("a == b", "a != b"),
        ("a != b", "a == b"),
        ("a in b", "a not in b"),
        ("a not  in b", "a in b"),
        ("a is b", "a is not b"),
        ("a is not b", "a is b"),
    ],
)
def test_comparison(old: str, new: str) -> None:
    assert changed(f"f({old})", "comparison") == [f"f({new})"]


def test_each_part_of_a_chain_is_compared_otherwise() -> None:
    assert changed("f(a < b <= c)", "comparison") == ["f(a <= b <= c)", "f(a < b < c)"]


def test_boolean_operators_one_at_a_time() -> None:
    assert changed("f(a and b and c)", "boolean") == ["f(a or b and c)", "f(a and b or c)"]
    assert changed("f(a or b)", "boolean") == ["f(a and b)"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0", ["-1", "1"]),
        ("100", ["101", "99"]),
        ("101", ["102"]),
        ("1.5", ["2.5"]),
        ("True", ["False"]),
        ("False", ["True"]),
        ("None", []),
        ('"debit"', ['""']),
        ('"two-words"', ['""']),
        ("''", ["'X'"]),
        ("r'[.!]'", ["r''", "'.!]'", "'[.!'"]),
        ("b' \\t'", ["b''", "b' '", "b'\\t'"]),
        ("f'{a}/{b}'", ['""']),
    ],
)
def test_constants(old: str, new: list[str]) -> None:
    assert sorted(changed(f"f({old})", "constant")) == sorted(f"f({text})" for text in new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("while f(a): b()", ["while not f(a): b()"]),
        ("if a < b: b()", ["if not (a < b): b()"]),
        ("if a == b: b()", []),
        ("if not a: b()", ["if a: b()"]),
        ("while True: b()", []),
        ("f(a if b else c)", ["f(a if not b else c)"]),
        ("f([b for b in a if b or c])", ["f([b for b in a if not (b or c)])"]),
    ],
)
def test_conditions(old: str, new: list[str]) -> None:
    assert changed(old, "condition") == new


def test_returned_values() -> None:
    assert changed("return a + b", "return") == ["return None"]
    assert changed("return", "return") == []
    assert changed("return None", "return") == []


@pytest.mark.parametrize("statement", ["f(a)", "a = b", "a.b = c", "a += b", "raise a", "del a"])
def test_statements_are_dropped(statement: str) -> None:
    assert changed(statement, "statement") == ["pass"]


def test_a_module_s_own_assignments_are_not_dropped() -> None:
    assert [m.operator for m in mutate("A = b\n\nf(b)\n")] == ["statement"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[b:]", ["[b:-1]", "[b + 1:]"]),
        ("[:b]", ["[1:b]", "[:b + 1]", "[:b - 1]"]),
        ("[b * c:]", ["[b * c:-1]", "[(b * c) + 1:]"]),
        ("[b : b + 1]", ["[b + 1 : b + 1]"]),
        ("[:]", []),
        ("[::2]", []),
    ],
)
def test_slices(old: str, new: list[str]) -> None:
    assert sorted(changed(f"f(a{old})", "slice")) == sorted(f"f(a{text})" for text in new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f(a, (b, c), x=1)", ["f((b, c), a, x=1)"]),
        ("f(a, b, c)", ["f(b, a, c)", "f(a, c, b)"]),
        ("f((a + b), c)", ["f((c), a + b)"]),
        ("f(a, a)", []),
        ("f(*a, b)", []),
        ("max(a, b)", []),
        ("max(a, b, key=f)", ["max(b, a, key=f)"]),
        ("SomeError(a, b)", []),
    ],
)
def test_swapped_arguments(old: str, new: list[str]) -> None:
    assert changed(f"g({old})", "swap") == [f"g({text})" for text in new]
