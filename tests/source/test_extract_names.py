from proofyard.source.extract_names import names_of


def test_names_by_scope() -> None:
    names = names_of(
        "import os.path as p, re\nfrom a import b as c\nx: int = K\ndef f(q=D):\n    global G\n    local = re\n    G = q + x\n"
        "    return [i for i in local] + u\nclass A(B):\n    y = z\n    def m(self): return y\n"
    )
    assert names.binds == {"p", "re", "c", "x", "f", "A"}
    assert names.writes == {"G"}
    assert names.wants == {"int", "K", "D", "u", "B", "z", "y"}


def test_scopes_that_python_refuses_are_read_roughly() -> None:
    names = names_of("import a.b\nnonlocal x\ndef f(): return y\nz = f\n")
    assert names.binds == {"a", "f", "z"}
    assert names.wants == {"y"}


def test_no_python_has_no_names() -> None:
    assert names_of("a b") == (frozenset(), frozenset(), frozenset())
