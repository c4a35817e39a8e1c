import pytest

from proofyard.core import UsageError
from proofyard.formats.harbor import Instruction, parse
from proofyard.formats.harbor.dockerfile import Heredoc, expanded, pairs, words


def test_lines_comments_flags_and_forms() -> None:
    text = (
        "# syntax=docker/dockerfile:1\n\nFROM --platform=linux/amd64 python:3.11 AS base\n# a comment\n"
        "run apt-get update && \\\n  # between\n\n  apt-get install -y x  \n"
        'COPY --chown=a:b --chmod="755" ["a b", "/x/"]\nCMD [not json]\n'
    )
    assert parse(text, "Dockerfile") == [
        Instruction(3, "FROM", "python:3.11 AS base", (("platform", "linux/amd64"),)),
        Instruction(5, "RUN", "apt-get update &&   apt-get install -y x"),
        Instruction(9, "COPY", '["a b", "/x/"]', (("chown", "a:b"), ("chmod", "755")), ("a b", "/x/")),
        Instruction(10, "CMD", "[not json]"),
    ]


def test_here_documents() -> None:
    text = "RUN <<EOF cat <<-'B'\necho $x\nEOF\n\t\tin\n\tB\nCOPY <<f /to\nFROM\nf\nUSER me\n"
    run, copy, user = parse(text, "Dockerfile")
    assert run.heredocs == (Heredoc("EOF", "echo $x\n", True), Heredoc("B", "in\n", False))
    assert (copy.heredocs, user) == ((Heredoc("f", "FROM\n", True),), Instruction(9, "USER", "me"))


def test_the_escape_directive() -> None:
    first, second = parse("# escape=`\nRUN a `\n b\nWORKDIR C:\\x\\\n", "Dockerfile")
    assert (first.rest, second.rest) == ("a  b", "C:\\x\\")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("FROM x\n!!\n", "D:2: no instruction: '!!'"),
        ("RUN <<EOF\nx\n", "D:1: the here-document EOF does not end"),
        ("# escape=x\n", "D:1: escape=x is neither"),
    ],
)
def test_what_is_no_dockerfile(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text, "D")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$A-${A}", "1-1"),
        ("${B:-two}${E:-three}${E-four}", "twothree"),
        ("${A:+yes}${B:+no}${E:+no}${E+set}", "yesset"),
        ("${B:-$A}", "1"),
        ("$B$5", "$5"),
    ],
)
def test_variables(text: str, value: str) -> None:
    assert expanded(text, {"A": "1", "E": ""}) == value


def test_a_variable_that_must_be_set() -> None:
    with pytest.raises(UsageError, match="B is not set: say B"):
        expanded("${B:?say B}", {})


def test_words_and_pairs() -> None:
    variables = {"A": "1 2"}
    assert words("""a\\ b '$A' "$A \\"x\\" \\n" $A \\$A ''""", variables) == [
        "a b", "$A", '1 2 "x" \\n', "1 2", "$A", "",
    ]  # fmt: skip
    assert pairs('X=$A Y="b c" Z=', variables) == {"X": "1 2", "Y": "b c", "Z": ""}
    assert pairs("X the rest of  it", {}) == {"X": "the rest of it"}
    with pytest.raises(ValueError, match="ENV takes name=value"):
        pairs("X=1 Y", {})
