"""House rules that the code is held to: sizes, cycles, docstrings, what a bare import loads."""

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "proofyard"
FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_sizes(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno + 1 <= 60, node.name


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), "no module docstring"


def test_no_unfinished_marks() -> None:
    for path in FILES:
        text = path.read_text()
        for mark in ("TO" + "DO", "FIX" + "ME", "raise NotImplemented" + "Error"):
            assert mark not in text, path


def test_no_import_cycles() -> None:
    graph = grimp.build_graph("proofyard", cache_dir=None)
    modules = {m: set(graph.find_modules_directly_imported_by(m)) for m in graph.modules}
    done: set[str] = set()
    for start in sorted(modules):
        stack, path = [(start, iter(sorted(modules[start])))], [start]
        while stack and start not in done:
            found = next(stack[-1][1], None)
            if found is None:
                stack.pop()
                done.add(path.pop())
            elif found in path:
                pytest.fail("import cycle: " + " -> ".join([*path[path.index(found) :], found]))
            elif found not in done and found in modules:
                stack.append((found, iter(sorted(modules[found]))))
                path.append(found)


def test_bare_import_loads_nothing_of_others() -> None:
    code = "import sys; a = set(sys.modules); import proofyard; print(sorted(set(sys.modules) - a))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "['proofyard']"


def test_help_loads_no_heavy_module() -> None:
    code = (
        "import sys\nfrom proofyard.cli import main\n"
        "sys.argv = ['proofyard', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([m for m in ('msgspec', 'rich', 'proofyard.engine', 'proofyard.core') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip().splitlines()[-1] == "[]"


def test_only_the_sandbox_starts_processes() -> None:
    starts = {"fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen", "execv", "execve", "Popen"}
    for path in FILES:
        if path.relative_to(SOURCE).parts[0] == "sandbox":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert not (node.value.id in {"os", "subprocess"} and node.attr in starts), f"{path}:{node.lineno}"


def test_each_package_has_tests() -> None:
    packages = {p.parent.name for p in SOURCE.glob("*/__init__.py")} - {"testing"}
    assert packages - {p.name for p in (ROOT / "tests").iterdir() if p.is_dir()} == set()
