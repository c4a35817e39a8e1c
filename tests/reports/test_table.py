from pathlib import Path

import msgspec
import pytest

from proofyard.core import Failure, Outcome, Plan, Spend, Subject, Trial, UsageError, trial_id
from proofyard.reports.table import Row, table_of
from proofyard.reports.table_markdown import END, START, markdown, placed
from proofyard.stats import BAND_RULE
from proofyard.store import SCHEMA, RunData, RunHeader
from tests.reports.factory import verdict

ORACLE = Subject(agent="oracle", version="1")
BARE = Subject(agent="terminal", version="1", model="a/m")
SKILLED = msgspec.structs.replace(BARE, skills=("zen@0123456789abcdef",), mcp=("servers@1",))
OTHER = Subject(agent="terminal", version="1", model="b/m")


def attempt(task: str, subject: Subject, k: int, brief: str = "b", **more: object) -> Trial:
    name = trial_id(brief, subject, k) if task == "t/one" else trial_id(brief + task, subject, k)
    fields: dict[str, object] = {"id": name, "task": task, "subject": subject.digest, "subject_name": subject.name}
    return Trial(**(fields | {"brief": brief, "k": k} | more))  # type: ignore[arg-type]


def run(trials: list[tuple[Trial, bool | Outcome | None]], subjects: tuple[Subject, ...], **more: object) -> RunData:
    """A run of trials, each with how it was graded (None: not at all)."""
    tasks = tuple(sorted({trial.task for trial, _ in trials}))
    plan = Plan(suite="harbor", version="v", tasks=tasks, subjects=subjects, attempts=int(str(more.pop("attempts", 1))))
    header = RunHeader(schema=SCHEMA, created="2026-01-01T00:00:00.000Z", proofyard="0", plan=plan)
    verdicts = [verdict(trial, how, **more) for trial, how in trials if how is not None]
    return RunData(
        path=Path("run"),
        header=header,
        plans=(plan,),
        trials={trial.id: trial for trial, _ in trials},
        verdicts={one.id: one for one in verdicts},
    )


def spent(micro_usd: int | None, tokens: int | None = None) -> dict[str, object]:
    return {"spend": Spend(cost_micro_usd=micro_usd, input_tokens=tokens, output_tokens=tokens)}


LOST = Failure(code="sandbox_lost", message="gone")


def everything() -> RunData:
    return run(
        [
            (attempt("t/one", BARE, 0, **spent(1_000, 10)), True),
            (attempt("t/one", BARE, 1, **spent(3_000, 30)), False),
            (attempt("t/one", BARE, 2, failure=LOST), None),
            (attempt("t/one", SKILLED, 0, **spent(None)), True),
            (attempt("t/one", OTHER, 0, **spent(5_000)), True),
            (attempt("t/one", ORACLE, 0), True),
            (attempt("t/two", BARE, 0), None),
        ],
        (BARE, SKILLED, OTHER, ORACLE),
        attempts=4,
    )


def row(rows: tuple[Row, ...], task: str, agent: str, model: str = "", condition: str = "bare") -> Row:
    (found,) = [r for r in rows if (r.task, r.agent, r.model, r.condition) == (task, agent, model, condition)]
    return found


def test_agents_models_and_conditions_are_rows_of_their_own() -> None:
    table = table_of([everything()])
    assert [(r.task, r.agent, r.model, r.condition) for r in table.rows] == [
        (task, *who)
        for task in ("t/one", "t/two")
        for who in (
            ("oracle", "", "bare"),
            ("terminal", "a/m", "bare"),
            ("terminal", "a/m", "skill:zen+mcp"),
            ("terminal", "b/m", "bare"),
        )
    ]
    one = row(table.rows, "t/one", "terminal", "a/m")
    assert (one.passed, one.attempted, one.planned, one.made, one.errors) == (1, 2, 4, 3, {"sandbox_lost": 1})
    assert (one.cost_micro_usd, one.costs, one.input_tokens, one.counted) == (2_000, 2, 20, 2)
    assert (round(one.low, 4), round(one.high, 4)) == (0.0945, 0.9055)
    other = row(table.rows, "t/two", "terminal", "a/m")
    assert (other.attempted, other.ungraded, other.low, other.high) == (0, 1, 0.0, 1.0)


def test_bands_are_of_agents_with_a_model_a_task_and_condition_each() -> None:
    table = table_of([everything()])
    assert [(b.task, b.condition, b.band, b.models, b.attempted) for b in table.bands] == [
        ("t/one", "bare", "headroom", 2, 3),
        ("t/one", "skill:zen+mcp", "saturated", 1, 1),
        ("t/two", "bare", "unmeasured", 0, 0),
        ("t/two", "skill:zen+mcp", "unmeasured", 0, 0),
    ]


def test_markdown() -> None:
    text = markdown(table_of([everything()]))
    assert (
        "| t/one | terminal | a/m | bare | 1/2 | 0.09 to 0.91 | 1/4 | $0.0020 (2 of 3) | 20 in, 20 out (2 of 3) "
        "| sandbox_lost 1 | not made 1 |\n"
    ) in text
    assert (
        "| t/one | terminal | a/m | skill:zen+mcp | 1/1 | 0.21 to 1.00 | 1/4 | unknown | unknown | 0 | not made 3 |\n"
        in text
    )
    assert "| t/one | oracle | - | bare | 1/1 | 0.21 to 1.00 | 1/4 | - | - | 0 | not made 3 |\n" in text
    assert (
        "| t/two | terminal | a/m | bare | 0/0 | - | 0/4 | unknown | unknown | 0 | not graded 1, not made 3 |\n" in text
    )
    assert "| t/one | bare | headroom | 2 | 3 |\n" in text
    assert BAND_RULE in text
    assert text == markdown(table_of([everything()]))


def test_an_attempt_in_two_runs_is_counted_once_and_more_attempts_of_another_run_are_added() -> None:
    first = run([(attempt("t/one", BARE, 0), False)], (BARE,))
    second = run([(attempt("t/one", BARE, 0), True), (attempt("t/one", BARE, 1), True)], (BARE,), attempts=2)
    table = table_of([first, second])
    (found,) = table.rows
    assert (found.passed, found.attempted, found.planned, table.repeated) == (2, 2, 2, 1)
    assert "- 1 attempts are in more than one of the runs and counted once\n" in markdown(table)


def test_versions_of_a_task_and_of_its_tests_are_not_counted_together() -> None:
    old = run([(attempt("t/one", BARE, 0, brief="0ld"), True)], (BARE,), grader="g1")
    new = run([(attempt("t/one", BARE, 0, brief="new"), False)], (BARE,), grader="g1")
    tests = run([(attempt("t/one", BARE, 1, brief="new"), True)], (BARE,), grader="g2")
    lost = run([(attempt("t/one", OTHER, 0, brief="0ld", failure=LOST), None)], (OTHER,))
    rows = table_of([old, new, tests, lost]).rows
    assert [(r.version, r.model, r.passed, r.attempted) for r in rows] == [
        ("0ld.g1", "a/m", 1, 1),
        ("new.g1", "a/m", 0, 1),
        ("new.g2", "a/m", 1, 1),
        ("0ld.g1", "b/m", 0, 0),
    ]
    assert [r.version for r in table_of([old]).rows] == [""]


def test_subjects_that_read_the_same_are_told_apart() -> None:
    short = msgspec.structs.replace(BARE, version="2")
    rows = table_of([run([(attempt("t/one", BARE, 0), True), (attempt("t/one", short, 0), False)], (BARE, short))]).rows
    assert {r.agent for r in rows} == {f"terminal ({BARE.digest[:6]})", f"terminal ({short.digest[:6]})"}


def test_names_of_others_are_no_markup() -> None:
    odd = Subject(agent="a|b", model="<img>\x1b[31m", version="1")
    text = markdown(table_of([run([(attempt("t/one", odd, 0), True)], (odd,))]))
    assert "| t/one | a\\|b | \\<img\\> | bare |" in text


def test_what_was_imported_or_ran_without_isolation_is_said() -> None:
    trials = [
        (attempt("t/one", BARE, 0, provenance={"imported": "harbor job x"}), True),
        (attempt("t/one", BARE, 1, provenance={"agent_isolation": "none"}), True),
    ]
    text = markdown(table_of([run(trials, (BARE,), attempts=2)]))
    assert "- t/one, terminal, a/m, bare: 1 of 2 attempts were imported, not made here\n" in text
    assert "- t/one, terminal, a/m, bare: 1 of 2 attempts ran without isolation\n" in text


def test_a_table_in_a_document() -> None:
    assert placed("new\n", None, "x.md") == f"{START}\nnew\n{END}\n"
    before = f"# Title\n\n{START}\nold\nold\n{END}\n\nMore.\n"
    assert placed("new\n", before, "x.md") == f"# Title\n\n{START}\nnew\n{END}\n\nMore.\n"
    assert placed("new\n", placed("new\n", before, "x.md"), "x.md") == placed("new\n", before, "x.md")


@pytest.mark.parametrize("document", ["", "text", START, f"{END}\n{START}", f"{START}{END}{START}{END}"])
def test_a_document_without_one_pair_of_markers_is_refused(document: str) -> None:
    with pytest.raises(UsageError, match=r"x\.md: <!-- results:start --> and"):
        placed("new\n", document, "x.md")
