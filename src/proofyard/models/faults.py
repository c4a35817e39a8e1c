"""What went wrong on the wire: every error of an SDK, status, body and stream sorted into one class."""

import email.utils
import json
import math
import re
import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from proofyard.models.answer import Stop

__all__ = ["BrokenAnswer", "Fault", "Overdue", "StreamError", "classify", "fault_of_status", "retry_after_ms"]

_MESSAGE_LIMIT: Final = 300

_CONTEXT: Final = re.compile(
    r"context[ _]length|context window|maximum context|prompt is too long|input is too long|too many input tokens"
    r"|input token count.{0,40}exceeds|exceeds the (model's )?(maximum|context)|reduce the length",
)
_REFUSED: Final = re.compile(
    r"content_filter|content[ _]policy|content management policy|data_inspection_failed|content exists risk"
    r"|sensitive content|flagged as potentially violating"
)
_QUOTA: Final = re.compile(
    r"insufficient_quota|exceeded your current quota|insufficient[ _]balance|billing|credit balance|out of credits"
    r"|spending limit|payment required"
)
_NO_MODEL: Final = re.compile(
    r"model_not_found|model_not_exist|unknown model|model not found|model .{0,80}does not exist"
)
_UNSUPPORTED: Final = re.compile(
    r"unsupported|unrecognized|unknown parameter|not supported|does not support|extra inputs are not permitted"
    r"|unexpected keyword|is deprecated for this model|not permitted for this model|unknown name"
)
_OVERLOADED: Final = re.compile(r"overloaded|no capacity|at capacity|insufficient_system_resource")
_STATUS_OF_TYPE: Final = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "request_too_large": 413,
}
_RETRIED: Final = frozenset(
    {
        "model_rate_limit",
        "model_overloaded",
        "model_server_error",
        "model_connection_closed",
        "model_stalled",
        "model_network",
        "model_broken_answer",
    }
)


class BrokenAnswer(Exception):  # noqa: N818 - the name of the fault it stands for
    """An answer that is none: not JSON, not of the wire's form, or without a reason why it stopped. `code` classifies it."""

    def __init__(self, message: str, code: str = "model_broken_answer") -> None:
        super().__init__(message)
        self.code = code


class Overdue(Exception):  # noqa: N818 - the name of the fault it stands for
    """The whole answer did not come in the time allowed, though bytes kept coming."""


class StreamError(Exception):
    """An error the provider reported inside a stream that began well; `body` as it wrote it."""

    def __init__(self, body: Any) -> None:
        super().__init__("the provider reported an error in the stream")
        self.body = body


class Fault(NamedTuple):
    """One class of fault. `stop`: it is an outcome of the model after all, and `code` is empty."""

    code: str
    message: str
    status: int | None = None
    retry: bool = False
    retry_after_ms: int | None = None
    stop: Stop | None = None


def classify(error: BaseException) -> Fault:
    """Sort an error of an SDK, of its HTTP client or of our own reading. The SDKs' classes are told by name, so that none
    has to be imported, and every release that keeps the names will do.
    """
    chain = list(_chain(error))
    for one in chain:
        if isinstance(one, StreamError):
            return _of_body(None, one.body, {})
        if isinstance(one, BrokenAnswer):
            return _fault(one.code, str(one))
        if isinstance(one, Overdue):
            return _fault("model_stalled", str(one))
    for one in chain:
        status = getattr(one, "status_code", None) or getattr(one, "code", None)
        if isinstance(status, int) and status >= 300:
            headers = getattr(getattr(one, "response", None), "headers", None) or {}
            return _of_body(status, _body_of(one), headers)
    for one in reversed(chain):
        found = _of_transport({kind.__name__ for kind in type(one).__mro__}, one)
        if found is not None:
            return found
    return _fault("model_network", f"{type(error).__name__}: {error}")


def fault_of_status(status: int, body: Any, headers: Mapping[str, str]) -> Fault:
    """Sort an HTTP status with its body (JSON value or text) and headers."""
    return _of_body(status, body, headers)


def retry_after_ms(headers: Mapping[str, str], now: float | None = None) -> int | None:
    """Return how long the provider wants to be left alone: `retry-after-ms`, else `Retry-After` in seconds or as a date."""
    for name, unit in (("retry-after-ms", 1), ("retry-after", 1000)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return max(0, math.ceil(number * unit))
        if name == "retry-after":
            return _until(text, time.time() if now is None else now)
    return None


def _until(date: str, now: float) -> int | None:
    try:
        then = email.utils.parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0, math.ceil((then - now) * 1000))


def _fault(code: str, message: str, **more: Any) -> Fault:
    text = " ".join(message.split())
    short = text if len(text) <= _MESSAGE_LIMIT else text[: _MESSAGE_LIMIT - 3] + "..."
    return Fault(code, short, retry=code in _RETRIED, **more)


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in found:
        found.append(one)
        one = one.__cause__ or one.__context__
    return found


def _of_transport(names: set[str], error: BaseException) -> Fault | None:
    said = f"{type(error).__name__}: {error}"
    unreached = {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror", "ProxyError", "SSLError"}
    if names & (unreached | {"UnsupportedProtocol"}):
        return _fault("model_network", said)
    if names & {"TimeoutException", "APITimeoutError", "TimeoutError"}:
        return _fault("model_stalled", f"nothing came for too long ({said})")
    closed = {"RemoteProtocolError", "ReadError", "WriteError", "CloseError", "ConnectionError", "StreamClosed"}
    if names & closed:
        return _fault("model_connection_closed", said)
    broken = {"JSONDecodeError", "UnicodeError", "DecodingError", "APIResponseValidationError", "RecursionError"}
    if names & (broken | {"UnknownApiResponseError", "ValidationError"}):
        return _fault("model_broken_answer", said)
    return None


def _body_of(error: BaseException) -> Any:
    body = getattr(error, "body", None)
    if body is None:
        body = getattr(error, "details", None)
    if body is None:
        try:
            body = getattr(error, "response").text  # noqa: B009 - an SDK's error, of any class
        except Exception:
            body = str(error)
    if isinstance(body, str):
        try:
            return json.loads(body)
        except ValueError:
            return body
    return body


def _of_body(status: int | None, body: Any, headers: Mapping[str, str]) -> Fault:
    inner = body.get("error", body) if isinstance(body, dict) else body
    fields = inner if isinstance(inner, dict) else {}
    words = [str(fields.get(name) or "") for name in ("type", "code", "status", "message", "param")]
    said = words[3] or (str(inner) if not fields else json.dumps(fields))
    text = " ".join([*words, "" if fields else str(inner)]).lower()
    if status is None:
        status = _status_in(fields)
        shown: int | None = None
    else:
        shown = status
    message = f"HTTP {shown}: {_plain(said)}" if shown else f"in the stream: {_plain(said)}"
    stop = _outcome(status, text)
    if stop is not None:
        return Fault("", message[:_MESSAGE_LIMIT], status=shown, stop=stop)
    fault = _fault(_code(status, text), message, status=shown, retry_after_ms=retry_after_ms(headers))
    asked = headers.get("x-should-retry")
    return fault._replace(retry=asked == "true") if asked in {"true", "false"} else fault


def _plain(text: str) -> str:
    """Take the tags out of a page of HTML."""
    if "<html" not in text.lower():
        return text
    return "an HTML page: " + re.sub(r"<[^<>]{0,200}>", " ", text[:4000])


def _status_in(fields: dict[str, Any]) -> int:
    for name in ("status_code", "status", "code", "type"):
        value = fields.get(name)
        if isinstance(value, int) and value >= 400:
            return value
        if isinstance(value, str):
            if value.isdigit() and len(value) == 3:
                return int(value)
            if value in _STATUS_OF_TYPE:
                return _STATUS_OF_TYPE[value]
    return 500


def _outcome(status: int, text: str) -> Stop | None:
    if status not in {400, 413, 422}:
        return None
    if _CONTEXT.search(text):
        return "context_window"
    return "refusal" if _REFUSED.search(text) else None


def _code(status: int, text: str) -> str:
    if status in {402, 403, 429} and (status == 402 or _QUOTA.search(text)):
        return "model_quota"
    if status == 529 or (status >= 500 and _OVERLOADED.search(text)):
        return "model_overloaded"
    if status >= 500 or status == 409:
        return "model_server_error"
    plain = {
        401: "model_auth",
        403: "model_auth",
        404: "model_not_found",
        408: "model_stalled",
        429: "model_rate_limit",
    }
    if status in plain:
        return plain[status]
    if _QUOTA.search(text):
        return "model_quota"
    if _NO_MODEL.search(text):
        return "model_not_found"
    return "model_unsupported_parameter" if _UNSUPPORTED.search(text) else "model_bad_request"
