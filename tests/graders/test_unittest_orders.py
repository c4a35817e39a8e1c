import hashlib

import pytest

from proofyard.graders.unittest_orders import Order, Report, Truth, UnittestParameters, encoded, read_report

KEY = "ab" * 32


def signed(text: bytes, key: str = KEY) -> bytes:
    digest = hashlib.blake2b(text, key=bytes.fromhex(key), digest_size=32).hexdigest().encode()
    return b"\n" + digest + b" " + text + b"\n"


def test_a_report_is_found_anywhere_and_taken_out() -> None:
    text = b'{"tests":{"test_a":["ok","",""]},"sites":{"amber 1":[1,0]},"tamper":[]}'
    wanted = Report(tests={"test_a": ("ok", "", "")}, sites={"amber 1": (1, 0)})
    assert read_report(signed(text), KEY) == (wanted, b"")
    assert read_report(b"said\nmore" + signed(text), KEY) == (wanted, b"said\nmore")
    assert read_report(b"said\n" + signed(text), KEY) == (wanted, b"said\n")
    assert read_report(b"said" + signed(text) + b"by a child\n", KEY) == (wanted, b"said\nby a child\n")


@pytest.mark.parametrize(
    "stdout",
    [
        b"",
        b"\n" * 10_000,
        signed(b'{"tests":{}}', "cd" * 32),
        signed(b'{"tests":{}}').replace(b"tests", b"testz"),
        signed(b'{"tests":{"a":"ok"}}'),
        signed(b'{"tests":{}} {}'),
        signed(b'{"tamper":"no list"}'),
        signed(b"[]"),
        b"0" * 64 + b' {"tests":{}}\n',
        (bytes(range(11, 75)) + b" x\n") * 100,
    ],
    ids=[
        "nothing",
        "empty lines",
        "another key",
        "altered",
        "a short row",
        "more after it",
        "no list",
        "a list",
        "no digest",
        "noise",
    ],
)
def test_what_is_no_report(stdout: bytes) -> None:
    assert read_report(stdout, KEY) is None


def test_a_forged_report_after_the_right_one_changes_nothing() -> None:
    right, forged = signed(b'{"missing":"f"}'), signed(b'{"tests":{}}', "00" * 32)
    found = read_report(forged + right + forged, KEY)
    assert found is not None
    assert found[0] == Report(missing="f")


def test_defaults_are_left_out_of_the_truth() -> None:
    import msgspec

    truth = Truth(tests={"test_a": "ok"}, controls=("test_a", "test_a#0"), cpu_ms=12)
    text = msgspec.json.encode(truth)
    assert text == b'{"tests":{"test_a":"ok"},"controls":["test_a","test_a#0"],"cpu_ms":12}'
    assert msgspec.json.decode(text, type=Truth) == truth
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"tests":{"test_a":"failed"}}', type=Truth)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"entry_point":"f","isolation":"none"}', type=UnittestParameters)


def test_an_order_is_one_line_of_json() -> None:
    order = Order(
        key=KEY, path="/p", entry_point="f", test="a\nb\n", stack="own", seed=0, modules=("os",), imported=(), named=(),
        keep_classes=False, mark="", sites=0, measure=False, bare=False,
    )  # fmt: skip
    assert b"\n" not in encoded(order)
    assert b'"test":"a\\nb\\n"' in encoded(order)
