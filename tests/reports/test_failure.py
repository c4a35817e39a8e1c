from proofyard.core import Evidence, Failure, Group, Outcome, Reason
from proofyard.reports import explain
from tests.reports.factory import trial, verdict


def test_a_failed_verdict_shows_counts_request_and_difference() -> None:
    seen = Evidence(
        where="scenario 3, session 1, row 7",
        request='{"id":"a","op":"count"}',
        expected='{"id":"a","ok":true,"result":{"total":3}}',
        got='{"id":"a","ok":true,"result":{"total":2}}',
        stderr="warn\x1b[31mred\x1b[0m\a",
    )
    groups = {"golden": Group(passed=1, total=2), "retry": Group(passed=0, total=3)}
    text = explain(verdict(trial("x"), False, reason=Reason.WRONG_RESULT, groups=groups, evidence=seen))
    lines = text.splitlines()
    assert lines[0] == "failed: 1/5 assertions passed  (reason: wrong_result)"
    assert "  golden: 1/2" in lines
    assert "first failure: scenario 3, session 1, row 7" in lines
    assert '  request:  {"id":"a","op":"count"}' in lines
    assert '    -  "total": 3' in lines
    assert '    +  "total": 2' in lines
    assert "    warnred\\x07" in lines
    assert "\x1b" not in text


def test_no_json_is_shown_as_it_came() -> None:
    text = explain(verdict(trial("x"), False, evidence=Evidence(where="w", expected='{"id":1}', got="hello")))
    assert '  expected: {"id":1}' in text.splitlines()
    assert "  got:      hello" in text.splitlines()


def test_an_infrastructure_failure_names_its_boundary() -> None:
    text = explain(verdict(trial("x"), Outcome.ERROR, failure=Failure(code="sandbox_lost", message="runner gone")))
    assert text.splitlines() == ["error: not graded", "sandbox failure sandbox_lost: runner gone"]


def test_long_values_are_cut_and_say_so() -> None:
    text = explain(verdict(trial("x"), False, evidence=Evidence(where="w", got="a" * 100_000)))
    assert len(text) < 6000
    assert "characters]" in text
