import pytest

from proofyard.source import mutate


def constants(text: str) -> list[str]:
    return [m.before for m in mutate(text) if m.operator == "constant"]


@pytest.mark.parametrize(
    "text",
    [
        '"""Documentation."""',
        'def f():\n    """Documentation."""\n    "more"\n',
        '__all__ = ["f"]',
        "def f(a: Literal['x'] = None) -> Literal['y']: ...\n",
        "x: dict['str', 5]",
        "@cache(5)\ndef f(): ...\n",
        "from a import b\nimport c\n",
        "assert x == 5, 'must be'",
        "if TYPE_CHECKING:\n    x = 5\n",
        "f(zip(a, b, strict=True))",
        "raise InvalidArgsError(f'{name} is wrong: {5}')",
        "raise ValueError('wrong', 5)",
        "raise SystemExit('usage')",
        "x = Exception(f'no {5}')",
        "check(value, f'the length of {where}')",
        "check(value, where='here')",
        "fail(code, 'there is no such account')",
        "message = 'item ' + str(5)",
        "raise OwnError(f'{5}') from 5",
    ],
)
def test_what_is_no_behaviour_is_left_alone(text: str) -> None:
    assert constants(text) == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("raise DomainError('no_words', 'neither has a word', count=5)", ["'no_words'", "5", "5"]),
        ("x = OwnError('code')", ["'code'"]),
        ("check(value, 'where')", ["'where'"]),
        ("x = f'{5}-{y}'", ["f'{5}-{y}'", "5", "5"]),
        ("if x:\n    y = 'there is no such account'\n", ["'there is no such account'"] * 3),
    ],
)
def test_what_is_behaviour_is_changed(text: str, seen: list[str]) -> None:
    assert constants(text) == seen
