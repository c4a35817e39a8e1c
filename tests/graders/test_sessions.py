"""The session grader on plain subprocesses: quick, so that every way to fail is shown; real sandboxes are beside it."""

import threading
from typing import Any

import msgspec
import pytest

from proofyard.core import (
    Blobs,
    Entry,
    Given,
    Grade,
    GraderSpec,
    Group,
    InfrastructureError,
    MemoryBlobs,
    Outcome,
    Reason,
    Row,
    Sandbox,
    SandboxSpec,
    Scenario,
    Session,
    Tree,
    UsageError,
    tree_of,
)
from proofyard.graders import SessionGrader, until_first_fault

from . import programs
from .plain import Middle, PlainProvider, PlainSandbox
from .programs import ALL, RESTART, STATELESS, ask, middle, program, step, submission, yes

SEEDED = Given(seed="s")
SILENT = (
    "no response within 1.2 s (the wall time of a session); the program is still running: is every response flushed?"
)


def grade(
    source: str | Tree,
    *scenarios: Scenario,
    middle: Middle = "never",
    given: Given = SEEDED,
    wall_ms: int = 10_000,
    **limits: Any,
) -> Grade:
    tree = submission(source) if isinstance(source, str) else source
    chosen = step(scenarios or (STATELESS,), wall_ms=wall_ms, **limits)
    return SessionGrader().grade(chosen, tree, PlainProvider(middle).opener(), given, MemoryBlobs())


@pytest.mark.parametrize("middle", ["before", "after", "never"])
def test_a_correct_program_passes(middle: Middle) -> None:
    found = grade(program(), *ALL, middle=middle)
    assert (found.outcome, found.score, found.reason, found.evidence.note) == (Outcome.PASSED, 1.0, None, "")
    assert found.metrics == {"assertions_passed": 38.0, "assertions_total": 38.0}
    assert found.groups == {
        "golden": Group(passed=1, total=1),
        "malformed": Group(passed=3, total=3),
        "boundary": Group(passed=1, total=1),
        "generated": Group(passed=11, total=11),
        "restart": Group(passed=4, total=4),
        "mid-write": Group(passed=18, total=18),
    }
    assert found.provenance == {"rung": "none", "kill_confirmed": "yes"}


@pytest.mark.parametrize(
    ("name", "reason", "passed", "note"),
    [
        ("wrong result", Reason.WRONG_RESULT, 6, "at $.result.double: another value: expected 42, got 43"),
        ("ids ignored", Reason.WRONG_RESULT, 2, "at $.id: an integer, not a string: expected "),
        ("exits early", Reason.CRASH, 5, "the program ended before it answered (exit code 0)"),
        ("raises", Reason.CRASH, 5, "the program ended before it answered (exit code 1)"),
        (
            "extra line at the end",
            Reason.WRONG_RESULT,
            6,
            "output after the last response; a wrong end costs the session its last row",
        ),
        (
            "exit code at the end",
            Reason.CRASH,
            6,
            "the program did not end well after the end of its input (exit code 3)",
        ),
        ("two lines", Reason.WRONG_RESULT, 1, "output that no request asked for"),
        ("no error handling", Reason.CRASH, 3, "the program ended before it answered (exit code 1)"),
        (
            "wrong error code",
            Reason.ERROR_HANDLING,
            6,
            'at $.error.code: another value: expected "bad_json", got "bad_request"',
        ),
        ("message is no string", Reason.ERROR_HANDLING, 5, "at $.error.message: not a string: expected "),
        ("missing operation", Reason.MISSING_OPERATION, 4, "at $.ok: another value: expected true, got false"),
        (
            "does not import",
            Reason.IMPORT_ERROR,
            0,
            "the program ended before it answered (exit code 1): ModuleNotFoundError: ",
        ),
        ("does not parse", Reason.IMPORT_ERROR, 0, "the program ended before it answered (exit code 1): SyntaxError: "),
        ("not json", Reason.WRONG_RESULT, 0, "the response is not strict JSON: Expecting property name"),
        ("duplicate keys", Reason.WRONG_RESULT, 0, "the response is not strict JSON: the key 'id' comes twice"),
        ("result has more", Reason.WRONG_RESULT, 4, 'at $.result.note: an extra key, with ""'),
        ("floods", Reason.OUTPUT_LIMIT, 5, "a line longer than allowed"),
    ],
)
def test_a_broken_program_fails(name: str, reason: Reason, passed: int, note: str) -> None:
    found = grade(program(name))
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, reason)
    assert found.evidence.note.startswith(note)
    assert found.metrics == {"assertions_passed": float(passed), "assertions_total": 7.0}


@pytest.mark.parametrize("name", ["wrong result", "raises", "exit code at the end", "wrong error code", "floods"])
def test_until_the_first_fault(name: str) -> None:
    """Outcome, reason and evidence of a whole grading; nothing is played after it."""
    chosen = step((STATELESS, msgspec.structs.replace(STATELESS, name="again")))
    tree = submission(program(name))
    found = {}
    for way, graded in (("whole", chosen), ("first", until_first_fault(chosen))):
        provider = PlainProvider()
        found[way] = SessionGrader().grade(graded, tree, provider.opener(), SEEDED, MemoryBlobs())
        assert len(provider.specs) == {"whole": 2, "first": 1}[way]
    whole, first = found["whole"], found["first"]
    assert (first.outcome, first.reason, first.score) == (Outcome.FAILED, whole.reason, 0.0)
    assert (first.evidence.where, first.evidence.note) == (whole.evidence.where, whole.evidence.note)
    assert first.metrics["assertions_total"] == whole.metrics["assertions_total"] == 14.0
    assert first.metrics["assertions_passed"] <= whole.metrics["assertions_passed"]
    assert first.provenance["not_played"] == "what came after the first fault"


def test_until_the_first_fault_a_right_program_is_played_whole() -> None:
    chosen = step(ALL)
    found = SessionGrader().grade(
        until_first_fault(chosen, wall_ms=9_000), submission(program()), PlainProvider().opener(), SEEDED, MemoryBlobs()
    )
    assert (found.outcome, found.metrics["assertions_passed"]) == (Outcome.PASSED, 38.0)
    assert until_first_fault(chosen, wall_ms=9_000).grading.limits.wall_ms == 9_000
    digests = {chosen.grader_digest, until_first_fault(chosen).grader_digest}
    assert len(digests | {until_first_fault(chosen, wall_ms=9_000).grader_digest}) == 3


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("hangs", SILENT),
        ("not flushed", SILENT),
        (
            "stays after the end",
            "the program did not exit after the end of its input, within 1.2 s (the wall time of a session); a wrong end "
            "costs the session its last row",
        ),
        ("burns", SILENT),
    ],
)
def test_a_program_over_the_wall_clock_is_played_once_more_alone(name: str, note: str) -> None:
    found = grade(program(name), wall_ms=1200)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.TIMEOUT)
    assert found.evidence.note == note
    assert found.provenance["retried_alone"] == "1"


def test_a_time_out_that_does_not_come_again_changes_nothing() -> None:
    slow_once = program().replace(
        "def main():",
        "import pathlib, time\nfor _ in [0]:\n  p = pathlib.Path('%s')\n  if not p.exists():\n"
        "    p.touch()\n    time.sleep(60)\n\ndef main():",
        1,
    )
    marker = PlainSandbox(SandboxSpec(), MemoryBlobs(), "never")
    try:
        found = grade(slow_once % (marker.root / "seen"), wall_ms=2500)
    finally:
        marker.close()
    assert found.outcome is Outcome.PASSED
    assert found.provenance["retried_alone"] == "1"


def test_only_one_time_out_is_retried_and_patience_ends() -> None:
    names = ("one", "two", "three", "four", "five")
    many = [msgspec.structs.replace(STATELESS, name=name) for name in names]
    provider = PlainProvider()
    found = SessionGrader().grade(
        step(tuple(many), wall_ms=300), submission(program("hangs")), provider.opener(), Given(), MemoryBlobs()
    )
    assert len(provider.specs) == 4  # one, one again, two, three
    assert found.metrics["assertions_total"] == 35.0
    assert found.metrics["assertions_passed"] <= 15.0
    assert found.provenance["not_played"] == "what came after 3 scenarios over the time limit"


def test_state_lost_at_the_restart() -> None:
    found = grade(program("state lost"), RESTART)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.PERSISTENCE)
    assert found.evidence.where == "scenario restart, session 2, row 1"
    assert found.evidence.note == 'at $.result.items: 0 items, not 2: expected [["a",1],["b",2]], got []'
    assert found.groups["generated"] == Group(passed=3, total=3)
    assert found.groups["restart"] == Group(passed=0, total=4)


def test_an_uncounted_row_that_differs_fails_the_assertion_it_belongs_to() -> None:
    found = grade(program().replace("sorted(data.items())", "sorted(data)"), RESTART)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.PERSISTENCE)
    assert found.groups["restart"] == Group(passed=3, total=4)


def test_a_value_that_was_never_bound() -> None:
    found = grade(program().replace("rest[0][::-1] if rest", "5 if rest"), RESTART)
    assert found.reason is Reason.PERSISTENCE
    assert found.evidence.note.startswith("at $.result.next_cursor: does not match: expected ")
    assert found.groups["restart"] == Group(passed=2, total=4)


def test_worlds_after_a_kill_in_the_middle() -> None:
    forgets = program().replace("def load():", "def load():\n    return {}\n\ndef unused():", 1)
    mixed = program().replace('return {"value": data[args["key"]]}', 'return {"value": "new"}')
    half = program().replace("return json.load(file)", 'return {k: "o" for k in json.load(file)}')
    assert grade(mixed, middle(1), middle="after").outcome is Outcome.PASSED
    found = grade(mixed, middle(1), middle="before")
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.NOT_ATOMIC)
    assert found.evidence.where == "scenario middle 1, session 2, row 2 (mid-write)"
    assert found.evidence.note.endswith(
        "; the session before was killed at state-changing call 1 of request set (session 1, row 2 (mid-write))"
    )
    assert found.evidence.expected.count("\nor ") == 0
    assert grade(forgets, middle(1), middle="after").reason is Reason.PERSISTENCE
    found = grade(half, middle(1), middle="after")
    assert found.reason is Reason.NOT_ATOMIC
    assert '"old"' in found.evidence.expected and '\nor {"id"' in found.evidence.expected


def test_a_kill_point_that_never_fires_leaves_the_one_world() -> None:
    forgets = program().replace(
        "        store(data)\n", '        if args["value"] != "new":\n            store(data)\n'
    )
    assert grade(forgets, middle(1), middle="before").outcome is Outcome.PASSED
    assert grade(forgets, middle(1), middle="never").reason is Reason.NOT_ATOMIC


def test_a_kill_at_a_response_leaves_both_worlds_open() -> None:
    base = middle(1)
    first, check = base.sessions
    between = Session(rows=(Row(send=ask("double", n=1), expect=(yes({"double": 2}),), kill="response"),))
    longer = msgspec.structs.replace(base, sessions=(first, between, check))
    for way in ("before", "after"):
        assert grade(program(), longer, middle=way).outcome is Outcome.PASSED


def test_a_program_that_does_not_start_on_what_a_kill_left() -> None:
    picky = program().replace("def main():", "def main():\n    if len(load()) > 1:\n        raise ImportError")
    found = grade(picky, RESTART)
    assert found.reason is Reason.PERSISTENCE
    assert found.evidence.note.endswith("started on the state that a kill had left")
    picky = program().replace("def main():", "def main():\n    if load():\n        raise ValueError")
    assert grade(picky, middle(1), middle="after").reason is Reason.NOT_ATOMIC


def test_memory_errors_are_told_apart() -> None:
    hungry = program().replace('if op == "half":', 'if op == "half":\n        raise MemoryError')
    assert grade(hungry).reason is Reason.OOM


def test_evidence_is_for_a_person() -> None:
    noisy = program("wrong result").replace("def main():", 'def main():\n    print("\\x1b[31mhi", file=sys.stderr)', 1)
    found = grade(noisy).evidence
    ident = msgspec.json.decode(found.request)["id"]
    assert found.where == "scenario stateless, session 1, row 1 (golden)"
    assert found.request == f'{{"id":"{ident}","op":"double","args":{{"n":21}}}}'
    assert found.expected == f'{{"id":"{ident}","ok":true,"result":{{"double":42}}}}'
    assert found.got == f'{{"id": "{ident}", "ok": true, "result": {{"double": 43}}}}'
    assert found.stderr == "\\x1b[31mhi"


def test_ids_are_new_in_each_play_and_repeat_with_the_seed() -> None:
    wrong = program("wrong result")
    requests = [grade(wrong, given=Given(seed=seed)).evidence.request for seed in ("1", "1", "2", "", "")]
    assert requests[0] == requests[1]
    assert len(set(requests)) == 4


REFUSED: list[tuple[Tree, Reason, str]] = [
    (Tree(), Reason.NO_SUBMISSION, "the submission is empty: there is no main.py"),
    (
        tree_of({"src/main.py": ""}, MemoryBlobs()),
        Reason.NO_SUBMISSION,
        "there is no main.py at the top of the submission",
    ),
    (
        Tree(entries={"main.py": Entry(kind="symlink", target="/etc/passwd")}),
        Reason.NO_SUBMISSION,
        "'main.py' is a symbolic link (to '/etc/passwd'): only regular files may be submitted",
    ),
    (
        submission("").merged(Tree(entries={"a/pipe": Entry(kind="special")})),
        Reason.NO_SUBMISSION,
        "'a/pipe' is a device, FIFO or socket: only regular files may be submitted",
    ),
    (
        tree_of({"main.py": "", **{f"f{n}": "" for n in range(1000)}}, MemoryBlobs()),
        Reason.OUTPUT_LIMIT,
        "1001 files submitted, at most 1000 are taken",
    ),
    (
        Tree(entries={"main.py": Entry(size=(8 << 20) + 1, sha="0" * 64)}),
        Reason.OUTPUT_LIMIT,
        "8388609 bytes submitted, at most 8388608 are taken",
    ),
]


@pytest.mark.parametrize(("tree", "reason", "note"), REFUSED, ids=lambda value: str(value)[:30])
def test_a_submission_that_is_not_run(tree: Tree, reason: Reason, note: str) -> None:
    provider = PlainProvider()
    found = SessionGrader().grade(step(ALL), tree, provider.opener(), Given(), MemoryBlobs())
    assert (found.outcome, found.score, found.reason, found.evidence.note) == (Outcome.FAILED, 0.0, reason, note)
    assert found.metrics["assertions_passed"] == 0.0
    assert found.groups["golden"] == Group(passed=0, total=1)
    assert provider.specs == []


def test_the_sandbox_gets_the_submission_and_nothing_of_the_test() -> None:
    provider = PlainProvider()
    blobs: Blobs = MemoryBlobs()
    tree = submission(program(), blobs, helper="x = 1")
    SessionGrader().grade(step((STATELESS, RESTART)), tree, provider.opener(blobs), Given(), blobs)
    first, second = provider.specs
    assert [(mount.path, mount.tree, mount.writable) for mount in first.mounts] == [("/workspace/project", tree, False)]
    assert first == second
    text = msgspec.json.encode(first)
    for hidden in (b"stateless", b"restart", b"toy-1", b'double":42'):
        assert hidden not in text


def test_public_only() -> None:
    found = grade(program(), *ALL, given=Given(public_only=True))
    assert found.metrics["assertions_total"] == 7.0
    with pytest.raises(UsageError, match="task toy-1 has no public scenarios"):
        grade(program(), RESTART, given=Given(public_only=True))


@pytest.mark.parametrize(
    ("expected", "parameters"), [("{", "{}"), ('[{"name":"x"}]', "{}"), ("[]", '{"entri":"x.py"}')]
)
def test_a_task_that_cannot_be_read_is_invalid(expected: str, parameters: str) -> None:
    base = step((STATELESS,))
    broken = msgspec.structs.replace(
        base,
        hidden=msgspec.structs.replace(base.hidden, expected=expected),
        grader=GraderSpec(kind="sessions", parameters=parameters),
    )
    found = SessionGrader().grade(broken, submission(program()), PlainProvider().opener(), Given(), MemoryBlobs())
    assert (found.outcome, found.score) == (Outcome.INVALID, None)
    assert found.evidence.note.startswith("the task's scenarios cannot be read: ")


def test_another_entry_file() -> None:
    chosen = msgspec.structs.replace(
        step((STATELESS,)), grader=GraderSpec(kind="sessions", parameters='{"entry":"tool.py"}')
    )
    tree = tree_of({"tool.py": program()}, MemoryBlobs())
    assert SessionGrader().grade(chosen, tree, PlainProvider().opener(), Given(), MemoryBlobs()).score == 1.0


class Unkillable(PlainSandbox):
    def kill(self) -> bool:
        super().kill()
        return False


def test_an_answer_to_a_blank_line_is_named_as_such() -> None:
    found = grade(program("answers blank lines"))
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.WRONG_RESULT)
    # Whether it was there before the next request was sent is a race; both ways say what to look at.
    assert found.evidence.note.endswith("; the line before was blank and wants no response")
    assert found.groups["malformed"].passed < 3


def test_an_unconfirmed_kill_is_no_verdict() -> None:
    opened: list[Unkillable] = []

    def open_sandbox(spec: SandboxSpec) -> Sandbox:
        opened.append(Unkillable(spec, MemoryBlobs(), "never"))
        return opened[-1]

    with pytest.raises(InfrastructureError, match="kill_unconfirmed"):
        SessionGrader().grade(step((RESTART,)), submission(program()), open_sandbox, Given(), MemoryBlobs())
    assert not opened[0].root.exists()  # closed all the same


def test_two_quiet_rows_at_the_end_of_a_session() -> None:
    rows = (
        Row(send=ask("double", n=1), expect=(yes({"double": 2}),), kind="golden"),
        Row(raw=programs.raw(b"\r"), kind="malformed"),
        Row(raw=programs.raw(b""), kind="malformed"),
    )
    quiet = Scenario(name="quiet", sessions=(Session(rows=rows),))
    assert grade(program(), quiet).metrics == {"assertions_passed": 3.0, "assertions_total": 3.0}
    found = grade(program("answers blank lines"), quiet)
    note = (
        "output after the last response; a wrong end costs the session its last row; the line before was blank and wants "
        "no response"
    )
    assert (found.outcome, found.evidence.note) == (Outcome.FAILED, note)
    assert found.groups["malformed"] == Group(passed=0, total=2)


def test_several_submissions_at_once() -> None:
    results: dict[str, Grade] = {}

    def work(name: str) -> None:
        results[name] = grade(program(name), wall_ms=2000)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("", "hangs", "wrong result")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reasons = {name: found.reason for name, found in results.items()}
    assert reasons == {"": None, "hangs": Reason.TIMEOUT, "wrong result": Reason.WRONG_RESULT}


def last(row: Row, *before: Row) -> Scenario:
    """A session whose last line has no line feed."""
    ended = msgspec.structs.replace(row, unterminated=True)
    return Scenario(name="last", argv=programs.STATE, sessions=(Session(rows=(*before, ended)), CHECK))


SET = Row(send=ask("set", key="a", value=1), expect=(yes({"size": 1}),), kind="boundary")
CHECK = Session(rows=(Row(send=ask("get", key="a"), expect=(yes({"value": 1}),), kind="restart"),))


def test_a_last_line_without_a_line_feed() -> None:
    assert grade(program(), last(SET)).metrics == {"assertions_passed": 2.0, "assertions_total": 2.0}
    lines = program().replace(
        "for line in sys.stdin.buffer:", 'for line in sys.stdin.buffer:\n        if not line.endswith(b"\\n"): break'
    )
    found = grade(lines, last(SET))
    assert found.reason is Reason.WRONG_RESULT
    assert found.evidence.note == "no response; the last line of the input, a request, has no line feed"
    assert found.evidence.where == "scenario last, session 1, row 1 (boundary)"
    assert found.groups == {"boundary": Group(passed=0, total=1), "restart": Group(passed=0, total=1)}
    dies = program().replace(
        "for line in sys.stdin.buffer:", 'for line in sys.stdin.buffer:\n        assert line.endswith(b"\\n")'
    )
    found = grade(dies, last(SET))
    assert found.reason is Reason.CRASH
    assert "exit code 1" in found.evidence.note and "AssertionError" in found.evidence.stderr


@pytest.mark.parametrize(
    ("name", "reason", "note", "got"),
    [
        ("wrong result", Reason.WRONG_RESULT, "at $.result.double: another value: expected 42, got 43", None),
        ("extra line at the end", Reason.WRONG_RESULT, "output after the last response; a wrong end", '"bye\\n"'),
        ("exit code at the end", Reason.CRASH, "the program did not end well after the end of its input", ""),
        ("two lines", Reason.WRONG_RESULT, "output after the last response; a wrong end", '"{}\\n"'),
        (
            "stays after the end",
            Reason.TIMEOUT,
            "the program did not exit after the end of its input, within 1.2",
            None,
        ),
        ("does not import", Reason.CRASH, "the program did not end well after the end of its input", ""),
    ],
)
def test_what_comes_after_a_last_line_without_a_line_feed(
    name: str, reason: Reason, note: str, got: str | None
) -> None:
    row = Row(send=ask("double", n=21), expect=(yes({"double": 42}),), kind="golden", unterminated=True)
    found = grade(program(name), Scenario(name="last", sessions=(Session(rows=(row,)),)), wall_ms=1200)
    assert (found.outcome, found.reason) == (Outcome.FAILED, reason)
    assert found.evidence.note.startswith(note)
    assert got is None or found.evidence.got == got
    assert found.metrics == {"assertions_passed": 0.0, "assertions_total": 1.0}


def test_a_blank_last_line_without_a_line_feed() -> None:
    blank = Row(raw=programs.raw(b" "), kind="malformed")
    scenario = last(blank, SET)
    assert grade(program(), scenario).metrics == {"assertions_passed": 3.0, "assertions_total": 3.0}
    found = grade(program("answers blank lines"), scenario)
    assert (found.outcome, found.groups["malformed"]) == (Outcome.FAILED, Group(passed=0, total=1))


def test_evidence_has_no_notation_of_the_tests() -> None:
    found = grade(program("wrong error code")).evidence
    assert found.expected == '{"id":null,"ok":false,"error":{"code":"bad_json","message":"refused"}}'
    found = grade(program("message is no string")).evidence
    assert found.note == 'at $.error.message: not a string: expected "<any text>", got 7'
    assert '"message":"<any text>"' in found.expected
    found = grade(program().replace("rest[0][::-1] if rest", "5 if rest"), RESTART).evidence
    assert found.note == 'at $.result.next_cursor: does not match: expected "<any text that is not empty>", got 5'
    assert '"next_cursor":"<any text that is not empty>"' in found.expected


def test_a_blank_line_at_the_end_is_seen() -> None:
    found = grade(program().replace("main()\n", "main()\nprint(flush=True)\n"))
    assert found.evidence.got == '"\\n"'
    assert found.evidence.note == "output after the last response; a wrong end costs the session its last row"
