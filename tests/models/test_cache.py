"""Kept answers: by all that decides them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Sampling, UsageError
from proofyard.models import (
    Answer,
    Attempt,
    Quirks,
    ReplayedModel,
    Request,
    ResponseCache,
    Text,
    Tool,
    cache_key,
    system,
    target_of,
    user,
)
from proofyard.testing.script import Asked, Turn
from proofyard.testing.server import ModelServer
from tests.models.fixtures import client_of

COLD = Request(messages=(user("x"),), sampling=Sampling(temperature="0"))
WARM = Request(messages=(user("x"),), sampling=Sampling(temperature="0.8"))
ANSWER = Answer(parts=(Text(text="é\u2028"),), stop="stop", attempts=(Attempt(n=1),))


def changed(**fields: Any) -> Request:
    return msgspec.structs.replace(COLD, **fields)


def test_every_field_is_in_the_key() -> None:
    target = target_of("vllm/m")
    requests = [
        COLD,
        changed(messages=(user("y"),)),
        changed(messages=(system("x"),)),
        changed(messages=(user("x"), user("x"))),
        changed(tools=(Tool(name="a"),)),
        changed(tools=(Tool(name="a", parameters="{}"),)),
        changed(tool_choice="required"),
        changed(sample=1),
        *(
            changed(sampling=Sampling(**{"temperature": "0", **one}))
            for one in (
                {"temperature": "0.1"},
                {"top_p": "0.9"},
                {"max_tokens": 5},
                {"seed": 1},
                {"stop": ("x",)},
                {"reasoning": "low"},
                {"extra": {"top_k": "1"}},
            )
        ),
    ]
    keys = {cache_key(target, request, True) for request in requests}
    assert len(keys) == len(requests)
    others = {
        cache_key(target, COLD, False),
        cache_key(target_of("vllm/n"), COLD, True),
        cache_key(target_of("vllm/m", "http://127.0.0.1:1/v1"), COLD, True),
        cache_key(target_of("ollama/m", "http://127.0.0.1:8000/v1"), COLD, True),
        cache_key(target_of("vllm/m", quirks=Quirks(seed_field="")), COLD, True),
    }
    assert len(others - keys) == 5
    assert cache_key(target, msgspec.convert(msgspec.to_builtins(COLD), Request), True) in keys


def test_kept_and_found(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "answers")
    assert cache.get("ab" * 32) is None
    cache.put("ab" * 32, "vllm/m", COLD, ANSWER)
    found = ResponseCache(tmp_path / "answers").get("ab" * 32)
    assert found == msgspec.structs.replace(ANSWER, attempts=(), cached=True)
    assert found is not None
    assert found.spent_usd == "0"


def test_damage_counts_as_nothing_kept(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path)
    cache.put("ab" * 32, "m", COLD, ANSWER)
    file = tmp_path / "ab" / f"{'ab' * 32}.json"
    whole = file.read_bytes()
    for damaged in (whole[:-5], b"", b"\xff", b"null", whole.replace(b'"key":"ab', b'"key":"cd')):
        file.write_bytes(damaged)
        assert cache.get("ab" * 32) is None
    assert [path.name for path in (tmp_path / "ab").iterdir()] == [file.name]


def test_sampled_answers_are_kept_only_when_asked(tmp_path: Path) -> None:
    assert ResponseCache(tmp_path).takes(COLD)
    assert not ResponseCache(tmp_path).takes(WARM)
    assert not ResponseCache(tmp_path).takes(Request(messages=()))
    assert ResponseCache(tmp_path, sampling=True).takes(WARM)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot keep answers"):
        ResponseCache(tmp_path / "file" / "x")


class Counting:
    """Answers with the number of the question."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, asked: Asked) -> Turn:
        self.asked += 1
        return Turn(text=f"answer {self.asked}")


def test_a_client_pays_once_and_samples_stay_apart(tmp_path: Path) -> None:
    with ModelServer(Counting()) as server:
        client = client_of(server, "openai-chat", cache=ResponseCache(tmp_path))
        texts = [
            client.generate(request).text for request in (COLD, COLD, changed(sample=1), changed(sample=1), WARM, WARM)
        ]
        assert texts == ["answer 1", "answer 1", "answer 2", "answer 2", "answer 3", "answer 4"]
        warm = client_of(server, "openai-chat", cache=ResponseCache(tmp_path, sampling=True))
        samples = [msgspec.structs.replace(WARM, sample=n) for n in range(3)]
        first = [warm.generate(request).text for request in samples]
        assert [warm.generate(request).text for request in samples] == first
        assert len(set(first)) == 3
        again = warm.generate(samples[0])
        assert (again.cached, again.attempts) == (True, ())
        assert len(server.ledger) == 7
    replayed = ReplayedModel(tmp_path)
    assert [replayed.generate(request).text for request in samples] == first
    with pytest.raises(UsageError, match="this request is not recorded"):
        replayed.generate(changed(sample=9))
