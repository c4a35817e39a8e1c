"""The client as a whole: budgets, records, keys, threads."""

import random
import socket
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Budget, InfrastructureError, Sampling, UsageError
from proofyard.models import (
    Account,
    Answer,
    BudgetSpent,
    Client,
    Key,
    ModelError,
    Options,
    PriceRow,
    Prices,
    Request,
    ResponseCache,
    RetryPolicy,
    open_model,
    target_of,
    user,
)
from proofyard.models.faults import BrokenAnswer
from proofyard.testing.faults import Fault, parse_faults
from proofyard.testing.script import Asked, Turn, Usage, Wire, say
from proofyard.testing.server import ModelServer
from tests.models.fixtures import CANARY, HELLO, WIRES, Sleeper, client_of

ASK = Request(messages=(user("x"),), sampling=Sampling(max_tokens=50))
DEAR = Prices(
    {
        "openai-compatible/m": PriceRow(
            source="t", provider="openai-compatible", model="m", prices={"input": "1000", "output": "1000"}
        )
    }
)


def test_a_model_by_name_answers(tmp_path: Path) -> None:
    with ModelServer(say("Yes."), keys=[CANARY]) as server:
        model = open_model(
            "openai-compatible/qwen",
            base_url=server.url("openai-chat"),
            key_env="MINE",
            environment={"MINE": CANARY, "OPENAI_API_KEY": "wrong"},
        )
        answer = model.generate(ASK)
        model.close()
        assert answer.text == "Yes."
        assert model.name == "openai-compatible/qwen"
        again = model.generate(ASK)
        assert (again.text, server.ledger[1].authorized) == ("Yes.", True)
        model.close()


def test_a_server_that_needs_no_key_gets_none() -> None:
    with ModelServer(say("Yes.")) as server:
        model = open_model("vllm/m", base_url=server.url("openai-chat"), environment={"OPENAI_API_KEY": CANARY})
        assert model.generate(ASK).text == "Yes."
        model.close()


@pytest.mark.parametrize("wire", WIRES)
def test_the_key_is_in_no_record_error_or_representation(
    wire: Wire, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    notes: list[Any] = []

    def note(kind: str, **data: object) -> None:
        notes.append({"kind": kind, **data})

    with ModelServer(faults=parse_faults("auth,500*3,ok"), keys=[CANARY]) as server:
        client = client_of(server, wire)
        errors = []
        for _ in range(2):
            with pytest.raises(ModelError) as caught:
                client.generate(HELLO, None, note)
            errors.append(caught.value)
        answer = client.generate(HELLO, None, note)
        client.close()
        server.settle()
        shown = [repr(server.ledger), *(entry.headers.values() for entry in server.ledger)]
    assert errors[0].failure.message == f"{client.name}: HTTP 401: Incorrect API key provided: [key]. (1 attempt)"
    everything = [repr(vars(client)), repr(errors), str(errors), repr(answer), repr(notes), repr(shown), caplog.text]
    everything += [msgspec.json.encode(notes).decode(), msgspec.json.encode(answer).decode(), *capfd.readouterr()]
    for one in everything:
        assert CANARY not in one
    assert [entry.status for entry in server.ledger] == [401, 500, 500, 500, 200]


def test_each_call_is_noted_before_and_after() -> None:
    notes: list[tuple[str, dict[str, Any]]] = []
    with ModelServer(faults=parse_faults("500,ok")) as server:
        client = client_of(server, "openai-chat")
        client.generate(ASK, None, lambda kind, **data: notes.append((kind, data)))
        calls = [entry.call for entry in server.ledger]
    assert [kind for kind, _ in notes] == ["model_send", "model_end"] * 2
    assert [data["call"] for kind, data in notes if kind == "model_send"] == calls
    assert [data["n"] for kind, data in notes if kind == "model_send"] == [1, 2]
    assert notes[1][1]["attempt"]["code"] == "model_server_error"
    assert len({data["request"] for kind, data in notes if kind == "model_send"}) == 1


def test_what_it_cost() -> None:
    with ModelServer(say("x", usage=Usage(1000, 100))) as server:
        client = client_of(server, "openai-chat", prices=DEAR)
        answer = client.generate(ASK)
        assert answer.cost is not None
        assert (answer.cost.usd, answer.cost.micro_usd, answer.spent_usd) == ("1.1", 1_100_000, "1.1")
        assert answer.cost.row.source == "t"
        server.add_faults(parse_faults("429,ok"))
        assert client.generate(ASK).spent_usd == "1.1"
        server.add_faults(parse_faults("cut,ok"))
        assert client.generate(ASK).spent_usd is None
        unpriced = client_of(server, "openai-chat").generate(ASK)
        assert (unpriced.cost, unpriced.spent_usd) == (None, None)


def test_a_budget_of_cost_stops_before_sending() -> None:
    with ModelServer(say("x", usage=Usage(1000, 100))) as server:
        client = client_of(server, "openai-chat", prices=DEAR)
        run = Account(Budget(cost_micro_usd=2_000_000))
        trials = [Account(Budget(), run) for _ in range(3)]
        client.generate(ASK, trials[0])
        client.generate(ASK, trials[1])
        with pytest.raises(BudgetSpent) as caught:
            client.generate(ASK, trials[2])
        assert caught.value.limit == "cost"
        assert len(server.ledger) == 2
        assert run.spent().cost_micro_usd == 2_200_000


def test_a_budget_of_cost_without_a_price_is_refused_before_anything_is_sent() -> None:
    with ModelServer() as server:
        client = client_of(server, "openai-chat")
        with pytest.raises(UsageError, match="no price is known for openai-compatible/m: give one by --prices FILE"):
            client.generate(ASK, Account(Budget(cost_micro_usd=1)))
        assert server.ledger == []


def test_the_last_step_may_be_tried_again() -> None:
    with ModelServer(faults=parse_faults("500,ok")) as server:
        client = client_of(server, "openai-chat")
        account = Account(Budget(steps=1))
        assert client.generate(ASK, account).text == "Hello."
        with pytest.raises(BudgetSpent, match="the budget of steps"):
            client.generate(ASK, account)
        assert len(server.ledger) == 2


def test_an_answer_that_cannot_be_kept_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ResponseCache(tmp_path, sampling=True)
    notes: list[str] = []

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fdopen", full)
    with ModelServer(say("Kept here.")) as server:
        client = client_of(server, "openai-chat", cache=cache)
        answer = client.generate(ASK, None, lambda kind, **_: notes.append(kind))
    assert answer.text == "Kept here."
    assert notes[-1] == "model_not_kept"


def test_retries_are_charged_and_stop_with_the_budget() -> None:
    with ModelServer(faults=[Fault("cut"), Fault("cut"), Fault("cut")]) as server:
        client = client_of(server, "openai-chat", prices=DEAR)
        account = Account(Budget(cost_micro_usd=1))
        with pytest.raises(BudgetSpent) as caught:
            client.generate(ASK, account)
        assert [attempt.code for attempt in caught.value.attempts] == ["model_connection_closed"]
        assert len(server.ledger) == 1
        used = account.spent()
    assert used.bounded == 1
    size = len(msgspec.json.encode(server.ledger[0].body))
    assert used.tokens == pytest.approx(size / 4, abs=20)
    assert used.cost_micro_usd == pytest.approx((size / 2 + 50) * 1000, abs=20_000)


def test_no_wall_left_for_a_pause_is_infrastructure_not_a_spent_budget() -> None:
    with ModelServer(faults=parse_faults("429:50,ok")) as server:
        sleep = Sleeper()
        client = client_of(server, "openai-chat", sleep=sleep)
        with pytest.raises(ModelError) as caught:
            client.generate(ASK, Account(Budget(wall_s=20)))
    assert caught.value.failure.code == "model_rate_limit"
    assert sleep.total == 0


def test_a_pause_ends_when_the_run_is_asked_to_stop() -> None:
    asked = threading.Event()
    with ModelServer(faults=parse_faults("429:50,ok")) as server:
        client = client_of(server, "openai-chat", sleep=lambda _: asked.set())
        with pytest.raises(BudgetSpent) as caught:
            client.generate(ASK, Account(Budget(), asked_to_stop=asked.is_set))
        assert caught.value.limit == "stopped"
        assert len(server.ledger) == 1


def test_wall_that_runs_out_while_the_model_answers() -> None:
    with ModelServer(say("x" * 400), faults=parse_faults("slow:50")) as server:
        client = client_of(server, "openai-chat")
        with pytest.raises(BudgetSpent) as caught:
            client.generate(ASK, Account(Budget(wall_s=1)))
    assert caught.value.limit == "wall"
    assert [attempt.code for attempt in caught.value.attempts] == ["model_stalled"]


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    client = Client(target_of("vllm/m", url), Key(""), Options(retry=RetryPolicy(attempts=2)), sleep=Sleeper())
    with pytest.raises(ModelError) as caught:
        client.generate(ASK)
    assert caught.value.failure.code == "model_network"
    assert [(attempt.code, attempt.billed) for attempt in caught.value.attempts] == [("model_network", False)] * 2


def test_proxies_of_the_environment_do_not_come_between_us_and_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ModelServer(say("Direct.")) as server:
        assert client_of(server, "openai-chat").generate(ASK).text == "Direct."


@pytest.mark.parametrize("wire", WIRES)
def test_what_an_sdk_finds_in_the_environment_stays_here(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_WEBHOOK_SECRET"):
        monkeypatch.setenv(name, "sk-elsewhere")
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "sk-elsewhere")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-Gateway: sk-elsewhere")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    with ModelServer(keys=[CANARY]) as server:
        client = client_of(server, wire)
        assert client.generate(ASK).text == "Hello."
        client.close()
        assert "sk-elsewhere" not in repr(server.ledger)
        assert "openai-organization" not in server.ledger[0].headers


def test_text_that_no_request_can_carry() -> None:
    with ModelServer() as server:
        with pytest.raises(UsageError, match="half a surrogate pair"):
            client_of(server, "openai-chat").generate(Request(messages=(user("a\ud800"),)))
        assert server.ledger == []


@pytest.mark.parametrize(
    ("wire", "event"),
    [
        ("openai-chat", {"choices": [{"delta": {"tool_calls": [{"index": [1], "id": "x"}]}}]}),
        ("openai-chat", {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": 5}}]}}]}),
        ("openai-responses", {"type": "response.output_item.done", "item": {"type": "message", "content": 5}}),
        ("anthropic-messages", {"type": "content_block_start", "index": "first", "content_block": {}}),
    ],
)
def test_data_of_another_form_is_a_broken_answer(wire: Wire, event: Any) -> None:
    from proofyard.models.wires import wire_of
    from proofyard.models.wires.shape import understood

    target = target_of({"openai-chat": "vllm/m", "openai-responses": "openai-responses/m"}.get(wire, "anthropic/m"))
    reader = wire_of(wire).reader(target)
    with pytest.raises(BrokenAnswer), understood():
        reader.feed(event)
        reader.finish(True)


def test_a_mistake_of_our_own_is_not_taken_for_the_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[Any] = []

    def wrong(*_: object) -> None:
        raise TypeError("a mistake")

    with ModelServer() as server:
        client = client_of(server, "openai-chat")
        monkeypatch.setattr(client._connection, "exchange", wrong)
        with pytest.raises(TypeError, match="a mistake"):
            client.generate(ASK, None, lambda kind, **data: notes.append((kind, data.get("refused"))))
    assert notes == [("model_send", None), ("model_end", "TypeError: a mistake")]


def test_an_error_keeps_its_attempts_when_it_crosses_a_process() -> None:
    import pickle

    with ModelServer(faults=parse_faults("401")) as server, pytest.raises(ModelError) as caught:
        client_of(server, "openai-chat").generate(ASK)
    back = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(back, InfrastructureError)
    assert (back.failure, back.attempts) == (caught.value.failure, caught.value.attempts)


def test_text_that_no_file_could_hold_is_made_whole() -> None:
    with ModelServer(say("ab\ud83d\ude00\ud800cd\u2028e")) as server:
        for stream in (True, False):
            answer = client_of(server, "openai-chat", stream=stream).generate(ASK)
            assert answer.text == "ab\U0001f600\ufffdcd\u2028e"
            assert msgspec.json.decode(msgspec.json.encode(answer), type=Answer) == answer


@pytest.mark.parametrize("wire", WIRES)
def test_many_threads_no_answer_lost_none_counted_twice(wire: Wire) -> None:
    """Each question has its own answer; faults come at random; the server's ledger is what was recorded, call by call."""
    kinds = [
        "500",
        "overloaded",
        "cut",
        "reset",
        "badjson",
        "rate_limit_ms:5",
        "no_stop",
        "cut_before:hard",
        "ok",
        "ok",
    ]
    chance = random.Random(5)
    faults = parse_faults(",".join(chance.choice(kinds) for _ in range(60)))

    def policy(asked: Asked) -> Turn:
        return Turn(text=f"answer to {asked.prompt}", usage=Usage(10, 3))

    with ModelServer(policy, faults=faults) as server:
        client = client_of(server, wire, retry=RetryPolicy(attempts=30))
        run = Account(Budget())

        def one(n: int) -> Answer:
            return client.generate(Request(messages=(user(f"question {n}"),)), Account(Budget(), run))

        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(one, range(50)))
        client.close()
        ledger = server.settle()
    assert [answer.text for answer in answers] == [f"answer to question {n}" for n in range(50)]
    recorded = [attempt for answer in answers for attempt in answer.attempts]
    assert Counter(attempt.call for attempt in recorded) == Counter(entry.call for entry in ledger)
    by_call = {entry.call: entry for entry in ledger}
    for attempt in recorded:
        entry = by_call[attempt.call]
        assert (attempt.code == "") == (entry.fault == "")
        if entry.begun and attempt.status == 200:
            assert attempt.billed is True
    assert run.spent().steps == 50
    assert sum(attempt.code == "" for attempt in recorded) == 50


def test_no_sdk_is_imported_before_the_first_call() -> None:
    code = (
        "import sys\nfrom proofyard.models import open_model, Prices\n"
        "open_model('openai/gpt-5', environment={'OPENAI_API_KEY': 'k'})\nPrices()\n"
        "print([m for m in ('openai', 'anthropic', 'google.genai', 'genai_prices', 'pydantic', 'httpx2') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_a_missing_sdk_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.genai", None)
    model = open_model("gemini-native/gemini-2.5-pro", environment={"GEMINI_API_KEY": "k"})
    with pytest.raises(UsageError, match=r"gemini-native needs: pip install 'proofyard\[google\]'"):
        model.generate(ASK)
