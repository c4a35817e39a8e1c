"""Images built by a container engine, against a stand-in for it that writes down what it is given."""

from pathlib import Path

import pytest

from proofyard.core import Image, ImageStep, InfrastructureError, MemoryBlobs, tree_of
from proofyard.images import contained

ENGINE = """\
#!/bin/sh
case "$1" in
version) echo 99.1 ;;
ps) ;;
build)
    echo "$*" >> {state}/builds
    while [ "$#" -gt 1 ]; do
        case "$1" in
        --file) cat "$2" > {state}/Dockerfile ;;
        --iidfile) printf 'sha256:%s' 0123456789abcdef > "$2" ;;
        esac
        shift
    done
    cd "$1" && find . -type f -o -type l | sort > {state}/context && cat big | wc -c >> {state}/context
    [ ! -e {state}/broken ] || { echo "Step 2/3 : RUN false"; echo "it ended with 1" >&2; exit 1; }
    ;;
*) exit 64 ;;
esac
"""
BLOBS = MemoryBlobs()
CONTEXT = tree_of({"app/run.sh": "x", "big": "y" * 9000, "Dockerfile": "not this"}, BLOBS)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    state = tmp_path / "state"
    state.mkdir()
    (tmp_path / "podman").write_text(ENGINE.replace("{state}", str(state)))
    (tmp_path / "podman").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return state


def image(text: str) -> Image:
    steps = (ImageStep(kind="run", command=text, tree=CONTEXT), ImageStep(kind="files", tree=CONTEXT))
    return Image(container="podman://", source="debian:12", workdir="/app", steps=steps)


def test_an_image_is_built_once_from_its_own_dockerfile(state: Path, tmp_path: Path) -> None:
    made = contained(image("FROM debian:12\nUSER app\n"), BLOBS)
    assert made.container == "podman://sha256:0123456789abcdef"
    assert made.source == "FROM debian:12: built by podman 99.1 (0123456789ab)"
    assert [step.kind for step in made.steps] == ["files"]
    assert (made.workdir, contained(image("FROM debian:12\nUSER app\n"), BLOBS)) == ("/app", made)
    assert (state / "Dockerfile").read_text() == "FROM debian:12\nUSER app\n"
    assert (state / "context").read_text().split() == ["./Dockerfile", "./app/run.sh", "./big", "9000"]
    contained(image("FROM debian:12\n"), BLOBS)
    builds = (state / "builds").read_text().splitlines()
    assert len(builds) == 2
    assert "--label proofyard=image" in builds[0]
    assert [path.suffix for path in (tmp_path / "cache/proofyard/images").iterdir()] == [".lock", ".lock"]


def test_what_the_engine_says_of_a_failure(state: Path) -> None:
    (state / "broken").touch()
    with pytest.raises(
        InfrastructureError, match=r"podman build: Step 2/3 : RUN false / it ended with 1 \[image_build\]"
    ):
        contained(image("FROM debian:12\nRUN false\n"), BLOBS)
    (state / "broken").unlink()
    assert contained(image("FROM debian:12\nRUN false\n"), BLOBS).container.endswith("0123456789abcdef")
