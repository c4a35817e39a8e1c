"""Python packages of images. What is installed comes from a package index; tests that need one use what is in the cache."""

from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, UsageError
from proofyard.images.packages import beside, install, system_packages, system_python


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_an_image_with_python_and_nothing_else() -> None:
    found = install((), None)
    assert (found.requirements, (Path(found.folder) / "bin/python").readlink()) == ((), Path("/usr/bin/python3"))
    assert install((), None) == found
    assert system_python().count(".") == 2


def wheel(folder: Path, name: str) -> str:
    """A wheel with a module and a console script, made by hand."""
    import base64
    import hashlib
    import zipfile

    files = {
        f"{name}.py": "def main():\n    print('hello')\n",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}-1.0.dist-info/entry_points.txt": f"[console_scripts]\n{name} = {name}:main\n",
    }
    record = f"{name}-1.0.dist-info/RECORD"
    rows = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}"
        for path, text in files.items()
    ]
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, text in {**files, record: "\n".join([*rows, f"{record},,"]) + "\n"}.items():
            archive.writestr(path, text)
    return name


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels of a folder in the place of an index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in ("aaa_toy", "bbb_toy"):
        wheel(folder, name)
    for variable, value in (
        ("UV_NO_INDEX", "1"),
        ("UV_FIND_LINKS", str(folder)),
        ("PIP_NO_INDEX", "1"),
        ("PIP_FIND_LINKS", str(folder)),
    ):
        monkeypatch.setenv(variable, value)


def test_what_is_installed(index: None) -> None:
    first = install(("aaa_toy==1.0",), None)
    assert sorted(path.name for path in (Path(first.folder) / "bin").iterdir()) == ["aaa_toy", "python", "python3"]
    assert (Path(first.folder) / "bin/aaa_toy").read_text().startswith("#!/usr/bin/python3\n")
    both = install(("bbb_toy",), first)
    assert (both.requirements, both.there) == (("aaa_toy==1.0", "bbb_toy"), ["aaa_toy-1.0", "bbb_toy-1.0"])
    assert {"aaa_toy.py", "bbb_toy.py"} <= {path.name for path in Path(both.folder).iterdir()}
    with pytest.raises(InfrastructureError, match=r"no_such_toy|no-such-toy"):
        install(("no_such_toy",), first)
    assert install(("aaa_toy==1.0",), None) == first


def test_beside_an_agents_program(index: None, tmp_path: Path) -> None:
    packages = install(("aaa_toy",), None).folder
    own = tmp_path / "own"
    (own / "node_modules/x").mkdir(parents=True)
    (own / "node_modules/x/run").write_text("r")
    found = Path(beside(str(own), packages))
    assert (found / "node_modules/x/run").read_text() == "r"
    assert (found / "bin/aaa_toy").stat().st_ino == (Path(packages) / "bin/aaa_toy").stat().st_ino
    assert beside(str(own), packages) == str(found)
    (own / "aaa_toy.py").write_bytes((Path(packages) / "aaa_toy.py").read_bytes())
    assert beside(str(own), packages) == str(found)  # the same of both is no matter
    (own / "aaa_toy.py").write_text("")
    with pytest.raises(UsageError, match=r"both bring aaa_toy\.py$"):
        beside(str(own), packages)


def test_packages_of_the_system() -> None:
    assert {"bash", "coreutils"} <= system_packages()
    assert "no-such-package" not in system_packages()
