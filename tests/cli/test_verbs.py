import hashlib
import json
from pathlib import Path

from tests.cli.tool import EASY, MAX, tool, verb


def test_list_as_a_table_and_as_json() -> None:
    rows = json.loads(verb("list", "scratch", "--subset", "easy", "--json").out)
    assert [set(row) for row in rows] == [{"task_id", "subset", "family", "category", "num_assertions"}] * len(rows)
    first = rows[0]
    assert (first["task_id"], first["subset"], first["family"]) == (EASY, "easy", "word-frequency")
    assert first["category"] == "text"
    assert first["num_assertions"] >= 48
    table = verb("list", "scratch", "--subset", "easy").out
    assert all(row["task_id"] in table for row in rows)


def test_prepare_write_evaluate_break_and_see_why(tmp_path: Path, reference: Path) -> None:
    place = tmp_path / "ws"
    assert tool("prepare", EASY, "--output", place).code == 0
    assert (place / "PROMPT.md").read_text().startswith("# Word frequency")
    assert list((place / "project").iterdir()) == []
    result = tmp_path / "r.json"
    good = tool("evaluate", EASY, "--solution", reference, "--output", result)
    assert (good.code, good.err) == (0, "")
    assert good.out.startswith(f"{EASY}: passed: ")
    assert json.loads(result.read_text())["verdict"]["outcome"] == "passed"

    main = place / "project" / "main.py"
    main.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'ok': True, 'result': {'total': 1}}), flush=True)\n"
    )
    bad = tool("evaluate", EASY, "--solution", place / "project")
    assert bad.code == 1
    assert "reason: " in bad.out
    assert "first failure: " in bad.out
    assert "request:  {" in bad.out
    assert "+ " in bad.out


def test_public_only_plays_two_examples_and_is_no_score(tmp_path: Path, reference: Path) -> None:
    result = tmp_path / "r.json"
    ran = verb("evaluate", EASY, "--solution", reference, "--public-only", "--output", result)
    assert ran.code == 0
    assert "only the public examples" in ran.out
    record = json.loads(result.read_text())
    assert record["public_only"] is True
    assert 2 <= sum(g["total"] for g in record["verdict"]["groups"].values()) <= 10
    verb("score", result).refused(2, str(result), "--public-only")


def test_score_of_a_run_and_a_result_file(tmp_path: Path, passed_run: Path, reference: Path) -> None:
    result = tmp_path / "r.json"
    assert verb("evaluate", EASY, "--solution", reference, "--output", result).code == 0
    scores = json.loads(verb("score", passed_run, result, "--json").out)
    assert len(scores["subjects"]) == 2
    for subject in scores["subjects"]:
        assert subject["grader"]
        assert subject["isolation"] == ["bubblewrap"]
        overall = subject["rows"][-1]
        assert (overall["subset"], overall["tasks"], overall["total"]) == ("overall", 1, scores["tasks"])
        assert overall["strict"] == 1 / scores["tasks"]
        assert overall["submitted"] == 1.0
    text = verb("score", passed_run).out
    assert f"INCOMPLETE 1/{scores['tasks']}" in text
    assert "newest of 1 tasks" in text


def test_two_results_of_one_task_are_attempts(tmp_path: Path, reference: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "main.py").write_text("raise SystemExit(1)\n")
    assert verb("evaluate", EASY, "--solution", reference, "--output", tmp_path / "a.json").code == 0
    assert verb("evaluate", EASY, "--solution", broken, "--output", tmp_path / "b.json").code == 1
    (subject,) = json.loads(verb("score", tmp_path / "a.json", tmp_path / "b.json", "--subset", "easy", "--json").out)[
        "subjects"
    ]
    (row,) = subject["rows"]
    assert (row["attempts"], row["submitted"]) == (2, 0.5)


def test_a_run_resumes_extends_and_regrades(tmp_path: Path) -> None:
    run = tmp_path / "run"
    call = ("run", "scratch", "--task", EASY, "--agent", "oracle", "--output", run)
    assert verb(*call).code == 0
    trials = (run / "trials.jsonl").read_bytes()
    assert verb(*call).code == 0
    assert (run / "trials.jsonl").read_bytes() == trials
    assert verb(*call, "--attempts", "2").code == 0
    assert (run / "trials.jsonl").read_bytes().startswith(trials)
    assert len((run / "trials.jsonl").read_text().splitlines()) == 2
    verdicts = (run / "verdicts.jsonl").read_bytes()
    assert verb("regrade", run).code == 0
    again = (run / "verdicts.jsonl").read_bytes()
    assert again.startswith(verdicts)
    assert len(again.splitlines()) == 4
    rows = json.loads(verb("score", run, "--json").out)["subjects"][0]["rows"]
    assert (rows[-1]["attempts"], rows[-1]["passed"]) == (2, 2)


def test_nothing_submitted_fails_and_an_absent_folder_is_missing(tmp_path: Path, reference: Path) -> None:
    ran = verb("run", "scratch", "--task", EASY, "--agent", "nop", "--output", tmp_path / "nop")
    assert ran.code == 1
    call = ("run", "scratch", "--task", EASY, "--task", MAX, "--agent", f"folder:{reference.parent}")
    assert verb(*call, "--output", tmp_path / "answers").code == 0
    (subject,) = json.loads(verb("score", tmp_path / "answers", "--json").out)["subjects"]
    assert (subject["rows"][-1]["attempts"], subject["rows"][-1]["failed"]) == (1, 0)


def test_a_trusted_command_works_in_the_workspace_and_is_kept_off_leaderboards(tmp_path: Path, reference: Path) -> None:
    script = f'grep -q "Word frequency" && test "$PROOFYARD_TASK" = {EASY} && cp -r {reference}/. .'
    run = tmp_path / "run"
    ran = verb("run", "scratch", "--task", EASY, "--agent", f"command:sh -c '{script}'", "--output", run)
    assert ran.code == 0, ran
    assert "not for leaderboards" in verb("score", run).out


def test_build_writes_files_and_a_manifest_that_names_their_hashes(tmp_path: Path) -> None:
    ran = verb("build", "--output", tmp_path / "data", "--seed", "1729", "--subset", "easy")
    assert ran.code == 0, ran
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert {p.name for p in (tmp_path / "data").iterdir()} == {"manifest.json", "easy.jsonl"}
    (file,) = manifest["files"].values()
    assert file["sha256"] == hashlib.sha256((tmp_path / "data" / "easy.jsonl").read_bytes()).hexdigest()
    assert f"easy.jsonl: {file['tasks']} tasks, " in ran.out
    for kind, count in file["kinds"].items():
        assert f"{kind} {count}" in ran.out


def test_a_run_of_some_families(tmp_path: Path) -> None:
    call = (
        "run",
        "scratch",
        "--subset",
        "easy",
        "--family",
        "lru-cache",
        "--family",
        "word-frequency",
        "--agent",
        "nop",
    )
    assert verb(*call, "--output", tmp_path / "run").code == 1
    assert verb("score", tmp_path / "run", "--json").code == 0
    trials = [json.loads(line)["trial"] for line in (tmp_path / "run" / "trials.jsonl").read_text().splitlines()]
    assert sorted(trial["task"] for trial in trials) == [EASY, "scratch-easy-064-lru-cache"]


def test_validate_some_families_of_one_tier(tmp_path: Path) -> None:
    out = tmp_path / "validation.json"
    chosen = ("--family", "word-frequency", "--family", "lru-cache")
    ran = verb("validate", "--subset", "easy", *chosen, "--output", out)
    assert ran.code == 0, ran
    tasks = json.loads(out.read_text())["tasks"]
    assert [task["task"] for task in tasks] == [EASY, "scratch-easy-064-lru-cache"]
    assert all(t["ok"] and t["reference"] == ["passed"] and t["empty"] == ["failed"] for t in tasks)
    unknown = verb("validate", "--family", "lru-cashe")
    assert (unknown.code, unknown.out) == (2, "")
    assert "did you mean lru-cache" in unknown.err


def test_doctor_names_every_rung() -> None:
    ran = verb("doctor", "--json")
    assert ran.code == 0
    assert [r["rung"] for r in json.loads(ran.out)["rungs"]] == ["bubblewrap", "zygote", "landlock", "none"]
    assert "used by default: bubblewrap" in verb("doctor").out


def test_a_private_set_is_another_dataset(tmp_path: Path, reference: Path) -> None:
    assert verb("prepare", EASY, "--seed", "7", "--output", tmp_path / "ws").code == 0
    result = tmp_path / "r.json"
    ran = verb("evaluate", EASY, "--solution", reference, "--seed", "7", "--output", result)
    assert ran.code == 0, ran
    record = json.loads(result.read_text())
    assert (record["seed"], record["version"].endswith("+seed7")) == (7, True)
    assert "+seed7" in verb("score", result, "--subset", "easy").out
    public = tmp_path / "public.json"
    assert verb("evaluate", EASY, "--solution", reference, "--output", public).code == 0
    verb("score", result, public).refused(2, "score them apart")
