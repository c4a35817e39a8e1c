"""Without the guards: how many of the hostile samples a plain run of unittest takes for right. The suite is worth as much."""

from collections.abc import Iterator

import pytest

from proofyard.core import Image, Mount, SandboxSpec, tree_of
from proofyard.sandbox import LocalProvider
from tests.adversarial.own_tasks import OWN_TASKS
from tests.adversarial.plain import BLOBS, LIMITS
from tests.adversarial.samples import ATTACKS, MADE_FOR

MAIN = """
import sys, types, unittest
module = types.ModuleType("__test__")
sys.modules["__test__"] = module
source = open("solution.py").read() + "\\n" + open("test.py").read()
exec(compile(source, "__test__.py", "exec"), vars(module))
suite = unittest.TestLoader().loadTestsFromTestCase(module.TestCases)
result = unittest.TestResult()
suite.run(result)
sys.exit(1 if result.failures or result.errors else 0)
"""
QUICK = [name for name in ATTACKS if not name.startswith(("A12", "A13", "A14 time"))]


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


def fooled(provider: LocalProvider, attack: str, task: str) -> bool:
    files = {"main.py": MAIN, "solution.py": ATTACKS[attack], "test.py": OWN_TASKS[task].test}
    image = Image(preload=("json", "unittest.mock", "random", "tempfile"))
    spec = SandboxSpec(
        image=image, limits=LIMITS, mounts=(Mount(path="/workspace/project", tree=tree_of(files, BLOBS)),)
    )
    sandbox = provider.open(spec, BLOBS)
    try:
        ended = sandbox.start(["python", "main.py"]).finish(5000)
        return ended.code == 0 and ended.fault is None
    finally:
        sandbox.close()


def test_a_plain_run_is_fooled_by_many(provider: LocalProvider) -> None:
    found = {name for name in QUICK if fooled(provider, name, MADE_FOR.get(name, "words"))}
    assert len(found) >= 45
    assert {name.partition(" ")[0] for name in found} >= {"A1", "A2", "A3", "A5", "A6", "A7", "A8", "A14", "A16"}
