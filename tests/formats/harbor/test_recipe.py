import pytest

from proofyard.core import ImageStep, MemoryBlobs, Tree, UsageError, file_bytes, tree_of
from proofyard.formats.harbor.context import Context
from proofyard.formats.harbor.recipe import Recipe, place_of, recipe

BLOBS = MemoryBlobs()
FILES = {"a.txt": "a", "src/b.py": "b", "src/deep/c.py": "c", "requirements.txt": "six==1.16.0  # why\n\n-r more.txt\n",
         "more.txt": "idna>=3 ; python_version > '3'\n"}  # fmt: skip


def made(text: str, ignore: str = "", **more: bool) -> Recipe:
    return recipe(
        text, "Dockerfile", Context(tree_of(FILES, BLOBS), ignore), BLOBS, any_base=more.get("any_base", False)
    )


def after(*lines: str) -> Recipe:
    return made("\n".join(["FROM debian:12", "WORKDIR /app", *lines]) + "\n")


def laid(found: Recipe) -> Tree:
    tree = Tree()
    for step in found.steps:
        if step.kind == "files":
            tree = tree.merged(step.tree)
    return tree


def others(found: Recipe) -> list[ImageStep]:
    return [step for step in found.steps if step.kind not in {"files", "folder"}]


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("COPY a.txt .", ["app/a.txt"]),
        ("COPY a.txt b.txt", ["app/b.txt"]),
        ("COPY a.txt /data/x/", ["data/x/a.txt"]),
        ("COPY src .", ["app/b.py", "app/deep/c.py"]),
        ("COPY src lib", ["app/lib/b.py", "app/lib/deep/c.py"]),
        ("COPY src/*.py /opt/me/", ["opt/me/b.py"]),
        ('COPY ["a.txt", "src", "./"]', ["app/a.txt", "app/b.py", "app/deep/c.py"]),
        ("COPY --chown=me:me --link ./src/deep/ x/", ["app/x/c.py"]),
        ("COPY . .", ["app/" + name for name in sorted(FILES)]),
        ("COPY <<E1 one.txt\nhi\nE1", ["app/one.txt"]),
        ("COPY <<E1 <<E2 d/\nhi\nE1\nho\nE2", ["app/d/E1", "app/d/E2"]),
        ("ADD a.txt ./d/", ["app/d/a.txt"]),
    ],
)
def test_copy(line: str, paths: list[str]) -> None:
    assert sorted(laid(after(line)).entries) == paths


def test_what_is_copied() -> None:
    found = after("ARG WHO=you", 'ENV GREETING="hi $WHO"', "COPY <<END x\n$GREETING\nEND", "COPY --chmod=755 a.txt y")
    tree = laid(found)
    assert file_bytes(tree.entries["app/x"], BLOBS) == b"hi you\n"
    assert (tree.entries["app/x"].executable, tree.entries["app/y"].executable) == (False, True)
    assert (found.environment, found.workdir, found.source) == ({"GREETING": "hi you"}, "/app", "debian:12")


def test_dockerignore() -> None:
    found = made("FROM debian\nCOPY . /app\n", "# no\n*.txt\n!a.txt\n/src/deep\n")
    assert sorted(laid(found).entries) == ["app/a.txt", "app/src/b.py"]
    assert sorted(laid(made("FROM debian\nCOPY . /app\n", "**/c.py\nb.py\n")).entries) == [
        "app/a.txt", "app/more.txt", "app/requirements.txt", "app/src/b.py",
    ]  # fmt: skip


def test_folders_and_places() -> None:
    found = made("FROM ubuntu\nWORKDIR /opt/app\nWORKDIR sub\nRUN mkdir -p data /var/lib/mine /srv/x\nVOLUME /v /w\n")
    assert found.workdir == "/opt/app/sub"
    assert found.places == ("/opt/app", "/srv", "/v", "/var/lib", "/w")
    folders = [step.path for step in found.steps]
    assert folders == ["/opt/app", "/opt/app/sub", "/opt/app/sub/data", "/var/lib/mine", "/srv/x", "/v", "/w"]
    assert [place_of(path) for path in ("/a/b/c", "/opt/a/b", "/var/x")] == ["/a", "/opt/a", "/var/x"]


def test_run_of_installers() -> None:
    found = after(
        "COPY requirements.txt .",
        "RUN apt-get update && apt-get install -y --no-install-recommends git=1:2.3 \\\n  curl && rm -rf /var/lib/apt/lists/*",
        "ENV V=8.0",
        'RUN pip install --no-cache-dir -U "pytest>=$V" numpy && useradd -m me',
        "RUN uv pip install --system six",
    )
    assert [(step.kind, step.requirements) for step in others(found)] == [
        ("system", ("git", "curl")),
        ("install", ("pytest>=8.0", "numpy")),
        ("install", ("six",)),
    ]


def test_run_of_requirements() -> None:
    with pytest.raises(
        UsageError, match=r"Dockerfile:4: RUN pip install -r requirements.txt: '-r more.txt' is no plain"
    ):
        after("COPY requirements.txt .", "RUN pip install -r requirements.txt")
    (step,) = others(after("COPY more.txt /x/r.txt", "RUN python3 -m pip install -r /x/r.txt"))
    assert step.requirements == ("idna>=3 ; python_version > '3'",)


def test_run_of_commands() -> None:
    found = after("ENV A=1", "RUN set -eux; echo $A > x; if true; then echo y; fi", 'RUN ["sh", "-c", "echo it\'s"]')
    assert [(step.kind, step.path, step.command, step.environment) for step in others(found)] == [
        ("run", "/app", "set -eux; echo $A > x; if true; then echo y; fi", {"A": "1"}),
        ("run", "/app", "'sh' '-c' 'echo it'\\''s'", {"A": "1"}),
    ]
    found = after(
        "RUN <<EOF\necho a\necho b\nEOF", "RUN mkdir d && pip install six && echo 'a && b' > d/x && cat d/x | wc"
    )
    assert [(step.kind, step.command or step.requirements) for step in others(found)] == [
        ("run", "echo a\necho b\n"),
        ("install", ("six",)),
        ("run", "echo 'a && b' > d/x && cat d/x | wc"),
    ]


def test_run_mixed() -> None:
    found = after("RUN set -e && echo a > x && pip install six && echo b 2>&1 > y; echo c")
    assert [(step.kind, step.command or step.requirements) for step in others(found)] == [
        ("run", "echo a > x"),
        ("install", ("six",)),
        ("run", "echo b 2>&1 > y; echo c"),
    ]


def test_notes() -> None:
    found = after("USER nobody", "LABEL a=b", "EXPOSE 80", 'CMD ["x"]')
    assert found.notes == (
        "line 3: USER nobody: every program runs as one unprivileged user",
        "line 6: CMD is not run",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Dockerfile has no FROM"),
        ("RUN true", "Dockerfile:1: RUN true: there is no FROM before it"),
        ("FROM alpine:3", "this machine stands in for debian, ubuntu, python, buildpack-deps only"),
        ("FROM python:3.12-alpine", "this machine is of Debian's kind, not Alpine's"),
        ("FROM scratch", "stands in for"),
        ("FROM debian AS a\nFROM debian", "Dockerfile:2: FROM debian: several stages are not supported"),
        ("FROM debian\nCOPY --from=x a b", "--from is not supported"),
        ("FROM debian\nADD http://x/y /app/", "ADD of an address is not supported"),
        ("FROM debian\nADD a.tar.gz /app/", "ADD of an archive is not supported"),
        ("FROM debian\nCOPY nothing /app/", "'nothing' is not in the folder of the Dockerfile"),
        ("FROM debian\nCOPY ../x /app/", "'../x' is not in the folder of the Dockerfile"),
        ("FROM debian\nENTRYPOINT x", "ENTRYPOINT is not supported"),
        ("FROM debian\nONBUILD RUN x", "ONBUILD is not supported"),
        ("FROM debian\nHEALTHCHECK CMD x", "write [environment.healthcheck] in task.toml"),
        ('FROM debian\nSHELL ["powershell"]', "only sh and bash are supported"),
        ("FROM debian\nRUN --mount=type=secret,id=a x", "--mount=type=secret,id=a is not supported"),
        ("FROM debian\nRUN --mount=type=bind,source=a x", "is not supported"),
        ("FROM debian\nCOPY a.txt /usr/local/bin/a", "/usr/local/bin/a lies in /usr, which cannot be changed"),
        ("FROM debian\nCOPY a.txt /tests/a", "lies in /tests"),
        ("FROM debian\nCOPY a.txt /logs/verifier/a", "lies in /logs"),
        ("FROM debian\nCOPY a.txt /solution/a", "lies in /solution"),
        ("FROM debian\nCOPY a.txt /opt/python/a", "lies in /opt/python"),
        ("FROM debian\nWORKDIR /etc/x", "/etc/x lies in /etc"),
        ("FROM debian\nCOPY a.txt /", "/a.txt: files directly in / are not supported: use a folder"),
        ("FROM debian\nRUN curl x | sh", "curl needs the network, or is used in a way that is not supported"),
        ("FROM debian\nRUN git clone x", "git needs the network"),
        ("FROM debian\nRUN apt-get install x || true", "apt-get needs the network, or is used in a way"),
        ("FROM debian\nRUN cd /x && pip install six && make", "'cd /x' and what follows it have to be run in one go"),
        ("FROM debian\nRUN pip install .", "'.' is no plain requirement"),
        ("FROM debian\nRUN pip install git+https://x", "is no plain requirement"),
        ("FROM debian\nRUN pip install 'x @ http://y'", "is no plain requirement"),
        ("FROM debian\nRUN pip install -e .", "pip's -e is not supported"),
        ("FROM debian\nRUN pip install --index-url http://x six", "pip's --index-url is not supported"),
        ("FROM debian\nRUN pip install -r nowhere.txt", "the requirements file 'nowhere.txt' is not in the image"),
        ("FROM debian\nRUN apt-get remove x", "'apt-get remove x' is not supported"),
    ],
)
def test_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        made(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("Dockerfile")


def test_any_base() -> None:
    assert made("ARG V=3\nFROM ghcr.io/some/image:$V AS x\n", any_base=True).source == "ghcr.io/some/image:3"
