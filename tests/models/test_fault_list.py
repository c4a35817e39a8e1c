"""The whole fault list, on every wire, streamed and whole, through the real SDKs: each classified as stated, no answer lost,
no call beyond the retry policy, no key anywhere.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

from proofyard.models import Answer, Attempt, Client, ModelError, Timing
from proofyard.testing.faults import FAULTS, Fault
from proofyard.testing.script import Turn, Usage, Wire, turns
from proofyard.testing.server import ModelServer
from tests.models.fixtures import CANARY, HELLO, WIRES, Sleeper, client_of

GOOD = Turn(text="Hello wörld, this is it.", usage=Usage(100, 20, cached=30))
VALUES = {"rate_limit": "2", "rate_limit_ms": "1500", "rate_limit_date": "30", "slow": "30"}

AGAIN = {
    "rate_limit": "model_rate_limit",
    "rate_limit_date": "model_rate_limit",
    "rate_limit_ms": "model_rate_limit",
    "server_error": "model_server_error",
    "html": "model_server_error",
    "overloaded": "model_overloaded",
    "cut_before": "model_connection_closed",
    "cut": "model_connection_closed",
    "cut_tool": "model_connection_closed",
    "stall": "model_stalled",
    "slow": "model_stalled",
    "reset": "model_connection_closed",
    "badjson": "model_broken_answer",
}
FINAL = {
    "quota": "model_quota",
    "auth": "model_auth",
    "unsupported": "model_unsupported_parameter",
    "no_model": "model_not_found",
}
OUTCOMES = {
    "context": "context_window",
    "filtered_prompt": "refusal",
    "empty": "stop",
    "length": "length",
    "filter": "refusal",
    "refusal": "refusal",
    "no_usage": "stop",
    "bad_arguments": "tool_calls",
    "duplicate_ids": "tool_calls",
}
BY_WIRE = {"stream_error", "no_stop"}


class Site(NamedTuple):
    server: ModelServer
    client: Client
    hasty: Client
    sleep: Sleeper
    wire: Wire
    stream: bool


@pytest.fixture(scope="module", params=itertools.product(WIRES, (True, False)), ids=lambda p: f"{p[0]}-{p[1]}")
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    wire, stream = request.param
    with ModelServer(turns([GOOD])) as server:
        sleep = Sleeper()
        client = client_of(server, wire, stream=stream, sleep=sleep)
        hasty = client_of(server, wire, stream=stream, timing=Timing(stall_s=0.7, attempt_s=1.5), sleep=sleep)
        yield Site(server, client, hasty, sleep, wire, stream)
        client.close()
        hasty.close()


def ask(site: Site, *faults: Fault) -> tuple[Answer | ModelError, list[Attempt]]:
    """Ask with these faults ahead; the number of questions the server saw is checked against the attempts on record."""
    site.server.add_faults(faults)
    site.sleep.total = 0
    before = len(site.server.ledger)
    result: Answer | ModelError
    client = site.hasty if any(fault.name in {"stall", "slow"} for fault in faults) else site.client
    try:
        result = client.generate(HELLO)
    except ModelError as error:
        result = error
    attempts = list(result.attempts)
    seen = site.server.ledger[before:]
    assert [entry.call for entry in seen] == [attempt.call for attempt in attempts]
    assert site.server.faults_left == 0
    assert CANARY not in repr(result) + str(result)
    assert CANARY.encode() not in msgspec.json.encode(attempts)
    return result, attempts


def test_the_table_is_whole() -> None:
    assert set(AGAIN) | set(FINAL) | set(OUTCOMES) | BY_WIRE == set(FAULTS)


@pytest.mark.parametrize("name", AGAIN)
def test_tried_again_and_answered(site: Site, name: str) -> None:
    result, attempts = ask(site, Fault(name, VALUES.get(name, "")))
    assert isinstance(result, Answer)
    assert result.text == GOOD.text
    assert [attempt.code for attempt in attempts] == [AGAIN[name], ""]
    assert [attempt.n for attempt in attempts] == [1, 2]
    assert attempts[1].waited_ms == round(site.sleep.total * 1000)


@pytest.mark.parametrize("name", FINAL)
def test_not_tried_again(site: Site, name: str) -> None:
    result, attempts = ask(site, Fault(name))
    assert isinstance(result, ModelError)
    assert result.failure.code == FINAL[name]
    assert [(attempt.code, attempt.billed) for attempt in attempts] == [(FINAL[name], False)]
    assert site.sleep.total == 0


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_of_the_model(site: Site, name: str) -> None:
    result, attempts = ask(site, Fault(name))
    assert isinstance(result, Answer)
    assert result.stop == OUTCOMES[name]
    assert [attempt.code for attempt in attempts] == [""]
    if name in {"context", "filtered_prompt"}:
        assert (attempts[0].status, attempts[0].billed, result.raw_stop) == (400, False, "HTTP 400")
    else:
        assert (attempts[0].status, attempts[0].billed) == (200, True)
    assert result.truncated == (name == "length")
    assert result.empty == (result.text == "" and not result.tool_calls)
    if name == "empty":
        assert result.empty
    if name == "no_usage":
        assert result.tokens is None
        assert result.text == GOOD.text


def test_an_error_inside_a_stream(site: Site) -> None:
    result, attempts = ask(site, Fault("stream_error"))
    assert isinstance(result, Answer)
    overloaded = site.stream and site.wire != "openai-responses"
    assert attempts[0].code == ("model_overloaded" if overloaded else "model_server_error")
    assert attempts[0].billed is site.stream


def test_no_reason_to_stop_is_no_answer(site: Site) -> None:
    result, attempts = ask(site, Fault("no_stop"))
    assert isinstance(result, Answer)
    unmarked = site.stream and site.wire in {"openai-responses", "gemini"}
    assert attempts[0].code == ("model_connection_closed" if unmarked else "model_broken_answer")
    assert attempts[0].billed is True


def test_broken_arguments_are_the_models_own(site: Site) -> None:
    result, _ = ask(site, Fault("bad_arguments"))
    assert isinstance(result, Answer)
    (call,) = result.tool_calls
    assert call.name == "bash"
    if site.wire != "gemini":
        assert call.problem.startswith("the arguments are no JSON")


def test_ids_used_twice_are_told_apart(site: Site) -> None:
    result, _ = ask(site, Fault("duplicate_ids"))
    assert isinstance(result, Answer)
    assert [(c.id, c.problem) for c in result.tool_calls] == [
        ("call_twice", ""),
        ("call_twice_2", "the id 'call_twice' is used twice"),
    ]


def test_a_pause_asked_for_is_kept(site: Site) -> None:
    for fault, least in ((Fault("rate_limit", "2"), 2_000), (Fault("rate_limit_ms", "1500"), 1_500)):
        _, attempts = ask(site, fault)
        assert attempts[0].retry_after_ms == least
        assert least <= attempts[1].waited_ms <= least * 1.1
    _, attempts = ask(site, Fault("rate_limit_date", "30"))
    assert 27_000 <= (attempts[0].retry_after_ms or 0) <= 31_000


def test_a_pause_too_long_is_not_waited_for(site: Site) -> None:
    result, attempts = ask(site, Fault("rate_limit", "3600"))
    assert isinstance(result, ModelError)
    assert result.failure.code == "model_rate_limit"
    assert result.failure.retry
    assert len(attempts) == 1
    assert site.sleep.total == 0


def test_no_call_beyond_the_policy(site: Site) -> None:
    result, attempts = ask(site, Fault("server_error"), Fault("cut"), Fault("overloaded"))
    assert isinstance(result, ModelError)
    assert [attempt.code for attempt in attempts] == [
        "model_server_error",
        "model_connection_closed",
        "model_overloaded",
    ]
    assert "(3 attempts)" in result.failure.message


@pytest.mark.parametrize("name", ["cut_before", "cut", "cut_tool"])
def test_a_connection_that_breaks_in_the_middle_of_a_chunk(site: Site, name: str) -> None:
    if not site.stream:
        pytest.skip("only streams come in chunks")
    result, attempts = ask(site, Fault(name, "hard"))
    assert isinstance(result, Answer)
    assert [attempt.code for attempt in attempts] == ["model_connection_closed", ""]


def test_what_an_attempt_cost_nobody_knows_until_it_ends(site: Site) -> None:
    result, attempts = ask(site, Fault("cut"))
    assert isinstance(result, Answer)
    first = attempts[0]
    if site.stream and site.wire == "anthropic-messages":
        assert (first.partial, first.tokens and first.tokens.input) == (True, 100)
    else:
        assert first.tokens is None
    assert first.cost is None
    assert result.spent_usd is None
