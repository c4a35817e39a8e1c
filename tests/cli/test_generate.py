"""`proofyard generate`, through the real SDKs against the scripted server, and by a script."""

import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proofyard.cli.generate import command
from proofyard.cli.generate_run import Asker
from proofyard.cli.generate_store import Entry, Job, SampleStore
from proofyard.core import ProofyardError
from proofyard.suites.functions.prompts import INSTRUCTION_PREFIX, RESPONSE_PREFIX
from proofyard.testing import Asked, ModelServer, Turn, parse_faults, say
from tests.cli.tool import Ran, verb
from tests.data import data

PROMPT = 'import os\n\n\ndef task_func(a):\n    """Give number {n} back."""\n'
PROGRAM = "import os\n\n\ndef task_func(a):\n    return a"
CHAT = f"Here's one:\n```python\n{PROGRAM}\n\nprint(task_func(1))\n```\n"
NAME = "openai-compatible/m"


def rows_of(path: Path, count: int) -> Path:
    rows = (
        {
            "task_id": f"BigCodeBench/{n}",
            "complete_prompt": PROMPT.format(n=n),
            "instruct_prompt": f"\nGive number {n} back.\n",
            "code_prompt": "import os\ndef task_func(a):\n",
            "canonical_solution": "    return a\n",
            "test": "class TestCases(unittest.TestCase): pass",
            "entry_point": "task_func",
            "libs": "['os']",
        }
        for n in range(count)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def record(output: Path) -> Any:
    return json.loads(output.with_name(f"{output.stem}.generation.json").read_text())


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return rows_of(tmp_path / "data.jsonl", 4)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


def argv(dataset: Path, output: Path, server: ModelServer, *more: str | Path) -> list[str | Path]:
    asked = ["generate", "bigcodebench", "--data", dataset, "--output", output, "--concurrency", "1"]
    return [*asked, "--model", NAME, "--base-url", server.url("openai-chat"), *more]


def ask(dataset: Path, output: Path, server: ModelServer, *more: str | Path) -> Ran:
    return verb(*argv(dataset, output, server, *more))


def test_answers_become_samples(dataset: Path, output: Path) -> None:
    with ModelServer(say(CHAT)) as server:
        ran = ask(dataset, output, server, "--id_range", "1-3", "--max_new_tokens", "77", "--json")
        bodies = [entry.body for entry in server.settle()]
    assert ran.code == 0, ran
    assert read(output) == [
        {"task_id": f"BigCodeBench/{n}", "solution": PROGRAM + "\n", "raw_solution": CHAT} for n in (1, 2)
    ]
    words = f"{INSTRUCTION_PREFIX}\n```\n{PROMPT.format(n=1).strip()}\n```\n"
    assert bodies[0]["messages"] == [{"role": "user", "content": words}]
    assert (bodies[0]["temperature"], bodies[0]["max_tokens"]) == (0, 77)
    assert {"top_p", "stop"}.isdisjoint(bodies[0])
    kept = record(output)
    assert kept["usage"] == json.loads(ran.out)["usage"]
    assert kept["prefixes"] == {"instruction": INSTRUCTION_PREFIX, "response": RESPONSE_PREFIX}
    assert kept["settings"]["response_prefix"] == ""
    assert kept["counts"]["present"] == kept["counts"]["wanted"] == 2
    assert kept["usage"] == {
        "calls": 2, "calls_without_usage": 0, "input": 200, "output": 40, "usd": None, "known_usd": "0",
    }  # fmt: skip


def test_the_other_prompts(dataset: Path, tmp_path: Path) -> None:
    more: list[tuple[list[str], str]] = [
        (["--split", "instruct", "--instruction_prefix", "Do it:"], "Do it:\nGive number 0 back.\n"),
        (["--direct_completion"], PROMPT.format(n=0)),
        (["--direct_completion", "--strip_newlines"], PROMPT.format(n=0).strip("\n")),
    ]
    for number, (flags, words) in enumerate(more):
        output = tmp_path / f"{number}.jsonl"
        with ModelServer(say("    return a\n")) as server:
            assert ask(dataset, output, server, "--subset", "0", *flags).code == 0
            assert server.settle()[0].body["messages"] == [{"role": "user", "content": words}]
    assert read(tmp_path / "1.jsonl")[0]["solution"] == PROMPT.format(n=0) + "    return a"


def test_vllm_continues_an_answer_that_was_begun(dataset: Path, output: Path) -> None:
    flags = ["--model", "vllm/m", "--subset", "0", "--temperature", "0.8"]
    with ModelServer(say(f"{PROGRAM}\n```\nThat is all.")) as server:
        assert ask(dataset, output, server, *flags).code == 0
        again = ask(dataset, output, server, *flags)
        (entry,) = server.settle()
    assert again.code == 0, again
    assert entry.body["messages"][1] == {"role": "assistant", "content": f"{RESPONSE_PREFIX}\n```python\n"}
    assert entry.body["continue_final_message"] is True
    assert entry.body["add_generation_prompt"] is False
    assert (entry.body["temperature"], entry.body["top_p"]) == (0.8, 0.95)
    assert entry.body["stop"][3:] == ["\nif __name__", "\ndef main(", "\nprint(", "\n```\n"]
    assert read(output)[0]["solution"] == PROGRAM
    assert record(output)["settings"]["response_prefix"] == RESPONSE_PREFIX


def test_faults_are_tried_again_and_outcomes_counted(dataset: Path, output: Path) -> None:
    with ModelServer(say(CHAT), faults=parse_faults("429:0,ok,length,cut,ok,empty")) as server:
        ran = ask(dataset, output, server, "--no-sanitize")
        assert len(server.settle()) == 6
    assert ran.code == 0, ran
    samples = read(output)
    assert [sample["task_id"] for sample in samples] == [f"BigCodeBench/{n}" for n in range(4)]
    assert [sample["solution"] for sample in samples][::2] == [CHAT, CHAT]
    assert samples[3]["solution"] == ""
    counts = record(output)["counts"]
    assert (counts["present"], counts["truncated"], counts["empty"], counts["missing"]) == (4, 1, 1, 0)
    assert "  1 cut at the limit of tokens: a higher --max-tokens lets them end" in ran.out.splitlines()
    assert record(output)["usage"]["calls_without_usage"] == 1


def test_no_answer_is_a_missing_sample_and_asked_for_again(dataset: Path, output: Path) -> None:
    with ModelServer(say(CHAT), faults=parse_faults("ok,401")) as server:
        ran = ask(dataset, output, server)
        assert len(server.settle()) == 2
        assert ran.code == 3, ran
        assert [sample["task_id"] for sample in read(output)] == ["BigCodeBench/0"]
        assert record(output)["failures"] == {"model_auth": 1}
        assert "3 of 4 missing; the same command asks for them" in ran.out.splitlines()
        assert ask(dataset, output, server).code == 0
        assert len(server.settle()) == 5
    assert [sample["task_id"] for sample in read(output)] == [f"BigCodeBench/{n}" for n in range(4)]
    assert record(output)["counts"]["before"] == 1


def test_a_limit_of_cost_holds_for_the_file(dataset: Path, output: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(f'["{NAME}"]\ninput = 1\noutput = 10\n')
    flags = ["--prices", str(prices), "--max-cost", "0.0007"]
    with ModelServer(say(CHAT)) as server:
        for _ in range(2):
            ran = ask(dataset, output, server, *flags)
            assert ran.code == 3, ran
            assert "stopped: budget: the budget of cost is used up" in ran.out
            assert "tokens: 300 in, 60 out; $0.0009" in ran.out
            assert len(server.settle()) == len(read(output)) == 3
        assert ask(dataset, output, server, "--prices", prices).code == 0
    assert len(read(output)) == 4
    assert record(output)["usage"]["usd"] == "0.0012"


def test_parameters_that_are_not_sent_are_said(dataset: Path, output: Path) -> None:
    with ModelServer(say(CHAT)) as server:
        url = server.url("anthropic-messages")
        flags = ["--model", "anthropic-compatible/claude-opus-4-1", "--base-url", url, "--temperature", "0.5"]
        ran = ask(dataset, output, server, *flags)
    assert ran.code == 0, ran
    assert record(output)["dropped"] == {"top_p": "this model takes temperature or top_p, not both"}
    assert "not sent: top_p: this model takes temperature or top_p, not both" in ran.out.splitlines()


def test_killed_and_resumed(tmp_path: Path, output: Path) -> None:
    dataset = rows_of(tmp_path / "data.jsonl", 8)
    numbers = itertools.count()

    def policy(_asked: Asked) -> Turn:
        time.sleep(0.05)
        return Turn(text=f"```python\ndef task_func(a):\n    return {next(numbers)}\n```\n")

    with ModelServer(policy) as server:
        flags = ["--n-samples", "5", "--temperature", "1", "--concurrency", "3"]
        words = [*map(str, argv(dataset, output, server, *flags))]
        process = subprocess.Popen(
            [sys.executable, "-m", "proofyard", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not output.is_file() or output.read_bytes().count(b"\n") < 9:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = output.read_bytes()
        before = before[: before.rfind(b"\n") + 1]
        log = tmp_path / "samples.generation.jsonl"
        kept = log.read_bytes().count(
            b"\n"
        )  # what was logged, and not written as a sample any more, is not asked again
        asked = len(server.settle())
        ran = ask(dataset, output, server, *flags)
        assert ran.code == 0, ran
        assert len(server.settle()) - asked == 40 - kept
    assert output.read_bytes().startswith(before)
    samples = read(output)
    assert Counter(sample["task_id"] for sample in samples) == {f"BigCodeBench/{n}": 5 for n in range(8)}
    assert len({sample["raw_solution"] for sample in samples}) == 40
    assert sorted((entry["task_id"], entry["k"]) for entry in read(log)) == [
        (f"BigCodeBench/{n}", k) for n in range(8) for k in range(5)
    ]
    assert record(output)["counts"]["before"] == kept


def test_an_interrupt_keeps_the_answers_under_way(dataset: Path, output: Path) -> None:
    def policy(_asked: Asked) -> Turn:
        time.sleep(0.6)
        return Turn(text=CHAT)

    with ModelServer(policy) as server:
        words = [*map(str, argv(dataset, output, server))]
        process = subprocess.Popen(
            [sys.executable, "-m", "proofyard", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while not server.ledger:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert len(server.settle()) == 1
    assert process.returncode == 130, err
    assert err.splitlines()[-1] == "proofyard: interrupted"
    assert len(read(output)) == 1, (out, err)
    assert "stopped: interrupted" in out


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(command, [str(item) for item in arguments], standalone_mode=False)
    if result.exception:
        raise result.exception
    return int(result.return_value), result.output


def scripted(tmp_path: Path, *lines: dict[str, Any]) -> str:
    path = tmp_path / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted/{path}"


def test_samples_are_told_apart_and_removed_ones_asked_for_again(dataset: Path, output: Path, tmp_path: Path) -> None:
    model = scripted(tmp_path, *({"sample": k, "text": f"sample {k}"} for k in range(3)))
    more = ["bigcodebench", "--data", dataset, "--model", model, "--output", output, "--no-sanitize", "--subset", "2,3"]
    assert run(*more, "--n-samples", "2")[0] == 0
    assert run(*more, "--n-samples", "3")[0] == 0
    lines = output.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    gone = next(line for line in lines if "/2" in line and "sample 0" in line)
    output.write_text("".join(line for line in lines if line != gone))
    assert run(*more, "--n-samples", "3")[0] == 0
    assert sorted((sample["task_id"], sample["solution"]) for sample in read(output)) == [
        (f"BigCodeBench/{n}", f"sample {k}") for n in (2, 3) for k in range(3)
    ]
    assert run(*more, "--overwrite")[0] == 0
    assert len(read(output)) == 2


def test_half_a_line_is_made_whole_without_asking(dataset: Path, output: Path, tmp_path: Path) -> None:
    more = ["bigcodebench", "--data", dataset, "--model", scripted(tmp_path, {"text": CHAT}), "--output", output]
    assert run(*more)[0] == 0
    whole = output.read_bytes()
    output.write_bytes(whole[:-5])
    scripted(tmp_path, {"text": "another answer"})
    assert run(*more)[0] == 0
    assert output.read_bytes() == whole
    log = output.with_name("samples.generation.jsonl")
    log.write_bytes(log.read_bytes()[:-5])  # the log comes first: then there is no sample either
    output.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    assert run(*more)[0] == 0
    assert [sample["raw_solution"] for sample in read(output)] == [CHAT, CHAT, CHAT, "another answer"]


def test_nobody_is_asked_for_ever(output: Path, tmp_path: Path) -> None:
    dataset = rows_of(tmp_path / "data.jsonl", 300)
    model = scripted(tmp_path, {"failure": "model_overloaded"})
    code, said = run("bigcodebench", "--data", dataset, "--model", model, "--output", output, "--concurrency", "1")
    assert code == 3
    assert "300 of 300 missing" in said
    assert "stopped: 20 questions in a row got no answer" in said
    assert output.read_bytes() == b""


def test_a_model_without_a_price_has_no_limit_of_cost(dataset: Path, output: Path) -> None:
    with ModelServer(say(CHAT)) as server:
        ask(dataset, output, server, "--max-cost", "1").refused(2, "no price is known for openai-compatible/m")
        assert not server.ledger


def test_two_do_not_write_one_file(dataset: Path, output: Path, tmp_path: Path) -> None:
    more = ["bigcodebench", "--data", dataset, "--model", scripted(tmp_path, {"text": CHAT}), "--output", output]
    with SampleStore(output, lambda _entry: {}), pytest.raises(ProofyardError, match="another process is writing it"):
        run(*more)
    assert run(*more)[0] == 0


def test_a_disk_that_is_full_is_no_half_line(output: Path) -> None:
    entry = Entry(task_id="a", k=0, text="x")
    with SampleStore(output, lambda entry: {"task_id": entry.task_id, "raw_solution": entry.text}) as store:
        store.load()
        written = []

        def append(found: Entry) -> None:
            written.append(found)
            raise OSError(28, "No space left on device")

        store.append = append  # type: ignore[method-assign]
        asker = Asker(store, lambda _job: entry, 1, threading.Event())
        with pytest.raises(OSError, match="No space left"):
            asker.run([Job("a", k) for k in range(50)])
    assert written == [entry]


def test_a_failure_of_a_sample_in_the_middle(dataset: Path, output: Path, tmp_path: Path) -> None:
    failing = {"when": "number 1 back", "sample": 0, "failure": "model_overloaded"}
    more = ["bigcodebench", "--data", dataset, "--output", output, "--n-samples", "2"]
    model = scripted(tmp_path, failing, {"text": CHAT})
    assert run(*more, "--model", model)[0] == 3
    assert Counter(sample["task_id"] for sample in read(output))["BigCodeBench/1"] == 1
    assert scripted(tmp_path, {"sample": 0, "text": CHAT}) == model  # sample 1 would find no line
    assert run(*more, "--model", model)[0] == 0
    assert len(read(output)) == 8


def test_names_as_upstream_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dataset = rows_of(tmp_path / "data.jsonl", 1)
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": CHAT}) + "\n")
    assert run("bigcodebench", "--data", dataset, "--model", "a.jsonl", "--backend", "scripted")[0] == 0
    assert (
        tmp_path / "bcb_results" / "a.jsonl--main--bigcodebench-complete--scripted-0.0-1-sanitized_calibrated.jsonl"
    ).is_file()
    plus = ["--dataset", "humanevalplus", "--data", data("HumanEvalPlus.jsonl.gz"), "--id_range", "[0,2]"]
    assert run(*plus, "--model", "scripted/a.jsonl", "--root", "here")[0] == 0
    found = read(tmp_path / "here" / "humanevalplus" / "a.jsonl_scripted_temp_0.0.jsonl")
    assert [sample["task_id"] for sample in found] == ["HumanEval/0", "HumanEval/1"]


def test_options_that_change_nothing_say_so(dataset: Path, output: Path, tmp_path: Path) -> None:
    model = scripted(tmp_path, {"text": CHAT})
    flags = ["--bs", "8", "--revision", "main", "--response-prefix", "So:", "--tp", "2"]
    _, said = run("bigcodebench", "--data", dataset, "--model", model, "--output", output, *flags)
    assert [line.split(" changes nothing here: ")[0] for line in said.splitlines()[:3]] == [
        "proofyard: --bs",
        "proofyard: --tp",
        "proofyard: --response-prefix",
    ]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--lora_path", "x"], "--lora-path x is not taken"),
        (["--dtype", "float16"], "--dtype float16 is not taken"),
        (["--backend", "hf"], "--backend hf is not taken"),
        (["--greedy", "--n-samples", "2"], "--greedy is one sample a task"),
        (["--id-range", "7-9"], "no task is in it"),
        (["--id-range", "x"], "write LO-HI"),
        (["--output", "x.json"], "has to end in .jsonl"),
        (["--root", "x"], "--output and --root exclude each other"),
        (["--reasoning-effort", "low", "--reasoning-budget", "9"], "exclude each other"),
        (["--dataset", "mbpp"], "which benchmark"),
    ],
)
def test_mistakes(dataset: Path, output: Path, tmp_path: Path, flags: list[str], message: str) -> None:
    model = scripted(tmp_path, {"text": CHAT})
    with pytest.raises(ProofyardError, match=message):
        run("bigcodebench", "--data", dataset, "--model", model, "--output", output, *flags)
    assert not output.exists()


def test_samples_of_two_settings_are_not_mixed(dataset: Path, output: Path, tmp_path: Path) -> None:
    more = ["bigcodebench", "--data", dataset, "--model", scripted(tmp_path, {"text": CHAT}), "--output", output]
    assert run(*more)[0] == 0
    before = output.read_bytes()
    with pytest.raises(ProofyardError, match=r"other settings \(sampling\)"):
        run(*more, "--temperature", "0.2")
    with pytest.raises(ProofyardError, match="is there already: --overwrite"):
        run(*more, "--resume", "False")
    output.with_name("samples.generation.json").unlink()
    with pytest.raises(ProofyardError, match=r"no samples\.generation\.json says how"):
        run(*more)
    assert output.read_bytes() == before
