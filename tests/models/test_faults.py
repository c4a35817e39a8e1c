"""Errors sorted: messages as providers really write them."""

import datetime
import email.utils
import json

import pytest

from proofyard.core import FAILURES
from proofyard.models.faults import BrokenAnswer, Overdue, StreamError, classify, fault_of_status, retry_after_ms


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (
            429,
            "Rate limit reached for gpt-4o on tokens per min (TPM): try again in 2s.",
            "model_rate_limit",
        ),
        (429, "You exceeded your current quota, please check your plan and billing details.", "model_quota"),
        (429, "Request too large: too many tokens per minute; reduce the length", "model_rate_limit"),
        (402, "Insufficient Balance", "model_quota"),
        (400, "Your credit balance is too low to access the Anthropic API.", "model_quota"),
        (403, "Your organization has reached its spending limit", "model_quota"),
        (403, "You are not allowed to sample from this model", "model_auth"),
        (401, "invalid x-api-key", "model_auth"),
        (404, "model: claude-nonesuch", "model_not_found"),
        (400, "The model `gpt-9` does not exist", "model_not_found"),
        (400, "Unsupported value: 'temperature' does not support 0 with this model.", "model_unsupported_parameter"),
        (400, "top_k: Extra inputs are not permitted", "model_unsupported_parameter"),
        (400, "Unrecognized request argument supplied: reasoning", "model_unsupported_parameter"),
        (400, "messages.3: tool_use ids must be unique", "model_bad_request"),
        (422, "messages: field required", "model_bad_request"),
        (500, "Internal server error", "model_server_error"),
        (503, "The model is overloaded. Please try again later.", "model_overloaded"),
        (503, "Service unavailable", "model_server_error"),
        (529, "Overloaded", "model_overloaded"),
        (408, "Request timeout", "model_stalled"),
        (409, "Conflict", "model_server_error"),
        (307, "Redirect", "model_bad_request"),
    ],
)
def test_statuses(status: int, message: str, code: str) -> None:
    fault = fault_of_status(status, {"error": {"message": message}}, {})
    assert (fault.code, fault.status, fault.stop) == (code, status, None)
    assert fault.retry == FAILURES[code].retry
    assert message in fault.message


@pytest.mark.parametrize(
    ("message", "stop"),
    [
        (
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000.",
            "context_window",
        ),
        ("prompt is too long: 215000 tokens > 200000 maximum", "context_window"),
        ("The input token count (2000000) exceeds the maximum number of tokens allowed", "context_window"),
        ("Input is too long for requested model", "context_window"),
        ("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "refusal"),
        ("Content Exists Risk", "refusal"),
    ],
)
def test_outcomes_told_by_status_400(message: str, stop: str) -> None:
    fault = fault_of_status(400, {"error": {"message": message}}, {})
    assert (fault.code, fault.stop, fault.retry) == ("", stop, False)


def test_the_code_of_a_body_counts_as_its_words_do() -> None:
    quota = {"error": {"code": "insufficient_quota", "message": "no more"}}
    assert fault_of_status(429, quota, {}).code == "model_quota"
    context = {"error": {"code": "context_length_exceeded", "message": "no"}}
    assert fault_of_status(400, context, {}).stop == "context_window"
    assert fault_of_status(400, "plain words: unsupported thing", {}).code == "model_unsupported_parameter"
    assert fault_of_status(500, None, {}).code == "model_server_error"
    assert fault_of_status(400, [1], {}).code == "model_bad_request"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"type": "overloaded_error", "message": "Overloaded"}}, "model_overloaded"),
        ({"error": {"code": "rate_limit_exceeded", "message": "slow down"}}, "model_rate_limit"),
        ({"error": {"code": 502, "message": "Provider returned error"}}, "model_server_error"),
        ({"error": {"code": "429", "message": "x"}}, "model_rate_limit"),
        ({"error": "gone wrong"}, "model_server_error"),
        ({"error": {"type": "authentication_error", "message": "x"}}, "model_auth"),
    ],
)
def test_errors_inside_streams(body: object, code: str) -> None:
    fault = classify(StreamError(body))
    assert (fault.code, fault.status) == (code, None)
    assert fault.message.startswith("in the stream: ")


def test_our_own_errors() -> None:
    assert classify(BrokenAnswer("no reason")).code == "model_broken_answer"
    assert classify(BrokenAnswer("cut", "model_connection_closed")).code == "model_connection_closed"
    assert classify(Overdue("late")).code == "model_stalled"
    assert classify(json.JSONDecodeError("bad", "x", 0)).code == "model_broken_answer"
    assert classify(ConnectionRefusedError("no")).code == "model_network"
    assert classify(RecursionError()).code == "model_broken_answer"
    assert classify(RuntimeError("who knows")).code == "model_network"


def test_a_cause_is_found_below_what_an_sdk_makes_of_it() -> None:
    class APIConnectionError(Exception):
        pass

    class ConnectError(Exception):
        pass

    try:
        try:
            raise ConnectError("no route")
        except ConnectError as error:
            raise APIConnectionError("Connection error.") from error
    except APIConnectionError as error:
        fault = classify(error)
    assert (fault.code, fault.message) == ("model_network", "ConnectError: no route")


def test_a_provider_may_say_whether_to_try_again() -> None:
    assert fault_of_status(429, None, {"x-should-retry": "false"}).retry is False
    assert fault_of_status(400, None, {"x-should-retry": "true"}).retry is True


def test_messages_are_one_short_line() -> None:
    page = "<html><body>\n<h1>502 Bad Gateway</h1>\n" + "x" * 9000 + "</body></html>"
    fault = fault_of_status(502, page, {})
    assert fault.message.startswith("HTTP 502: an HTML page: 502 Bad Gateway xxx")
    assert len(fault.message) == 300
    assert "\n" not in fault.message


def test_pauses_asked_for() -> None:
    now = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC).timestamp()
    date = email.utils.formatdate(now + 12.5, usegmt=True)
    assert retry_after_ms({"retry-after": date}, now) == 12_000
    assert retry_after_ms({"retry-after": email.utils.formatdate(now - 50, usegmt=True)}, now) == 0
    assert retry_after_ms({"retry-after": "1.5"}) == 1_500
    assert retry_after_ms({"retry-after": "9", "retry-after-ms": "20"}) == 20
    assert retry_after_ms({"retry-after": "9", "retry-after-ms": "soon"}) == 9_000
    for nonsense in ("", "soon", "nan", "inf", "Mon, 99 Foo 2026"):
        assert retry_after_ms({"retry-after": nonsense}) is None
    assert retry_after_ms({"retry-after": "-5"}) == 0
    assert retry_after_ms({}) is None
