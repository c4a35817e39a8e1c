from pathlib import Path

import pytest

from proofyard.core import MemoryBlobs, SandboxSpec, UsageError
from proofyard.formats.harbor import Terms, read_task
from proofyard.formats.harbor.outline import outline
from tests.suites.harbor.folders import task


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FROM a:1\n", ("a:1", "")),
        ("FROM a\nWORKDIR /x\nWORKDIR y\n", ("a", "/x/y")),
        ("ARG V=3\nFROM --platform=linux/amd64 python:$V\nARG V\nENV D=/d\nWORKDIR $D/$V\n", ("python:3", "/d/3")),
        ("FROM a AS one\nWORKDIR /one\nFROM b\nCOPY --from=one /x /x\n", ("b", "")),
        ('FROM a AS one\nWORKDIR /one\nFROM one\nRUN <<END\nWORKDIR /no\nEND\nENTRYPOINT ["x"]\n', ("a", "/one")),
    ],
)
def test_where_an_image_starts_and_works(text: str, found: tuple[str, str]) -> None:
    assert outline(text, "Dockerfile") == found


def test_a_dockerfile_without_from() -> None:
    with pytest.raises(UsageError, match="Dockerfile has no FROM"):
        outline("RUN x\n", "Dockerfile")


def places(folder: Path, **terms: object) -> tuple[SandboxSpec, SandboxSpec]:
    step = read_task(folder, MemoryBlobs(), Terms(engine="docker", **terms)).task.steps[0]  # type: ignore[arg-type]
    return step.brief.work, step.grading


STAGES = 'FROM a AS one\nFROM b\nCOPY --from=one /x /x\nWORKDIR /srv/work\nENTRYPOINT ["/enter"]\n'


def test_the_places_of_a_task_in_containers(tmp_path: Path) -> None:
    folder = task(tmp_path / "one", more="cpus = 2\nmemory_mb = 64\n", files={"environment/Dockerfile": STAGES})
    toml = (folder / "task.toml").read_text().replace("[agent]\n", '[agent]\nuser = "app"\n')
    (folder / "task.toml").write_text(toml.replace("[verifier]\n", "[verifier]\nuser = 0\n"))
    work, grading = places(folder)
    assert (work.lowest, work.kept, work.image.container, work.image.source) == ("container", ("/",), "docker://", "b")
    assert (work.image.workdir, work.limits.tree_memory, work.limits.cpu_ms / work.limits.wall_ms) == (
        "/srv/work", 64 << 20, 2.0,
    )  # fmt: skip
    assert [spec.image.steps[0].command for spec in (work, grading)] == [f"{STAGES}USER app\n", f"{STAGES}USER 0\n"]
    assert sorted(work.image.steps[0].tree.entries) == ["Dockerfile", "readme.txt"]
    assert work.image.environment == {}
    assert grading.image.environment == {"PYTHONNOUSERSITE": "1"}
    assert places(folder, system=True)[0].kept == ("/", "/usr")


def test_an_image_that_is_named_only(tmp_path: Path) -> None:
    folder = task(tmp_path / "one", more='docker_image = "a:1"\n')
    assert places(folder)[0].image.steps[0].command == "FROM a:1\nCOPY . /app\n"
    folder = task(tmp_path / "two")
    with pytest.raises(UsageError, match=r"names no image for docker: it has neither .*/Dockerfile nor docker_image"):
        places(folder)


def test_the_public_network_is_for_who_allows_it(tmp_path: Path) -> None:
    folder = task(tmp_path / "one", files={"environment/Dockerfile": STAGES, "task.toml": "[environment]\n"})
    with pytest.raises(
        UsageError, match=r"is public .*; --suite-option public=allowed gives it, public=no-network runs"
    ):
        places(folder)
    assert [spec.network.mode for spec in places(folder, public=True)] == ["public", "public"]
    assert [spec.network.mode for spec in places(folder, closed=True)] == ["none", "none"]
