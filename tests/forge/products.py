"""A small family without a framework, for tests: a program has to multiply by what a file says."""

from collections.abc import Mapping
from random import Random

from proofyard.forge import Draft

CHECKS = """\
import json
import subprocess
from pathlib import Path

EXPECTED = json.loads(Path("/tests/expected.json").read_text())
said = subprocess.run(["python3", "/app/answer.py", "5"], capture_output=True, text=True, timeout=20).stdout.strip()
fixed = subprocess.run(["python3", "/app/answer.py", "1"], capture_output=True, text=True, timeout=20).stdout.strip()
passed = {"answers": [said] == EXPECTED, "input": Path("/app/factor.txt").read_text() == FACTOR, "one": fixed == FACTOR}
tests = [{"name": name, "status": "passed" if ok else "failed"} for name, ok in passed.items()]
logs = Path("/logs/verifier")
logs.joinpath("ctrf.json").write_text(json.dumps({"results": {"tests": tests}}))
logs.joinpath("reward.json").write_text(json.dumps({"reward": int(all(passed.values())), "answer": int(said or 0)}))
"""
TOML = """\
schema_version = "1.4"
[task]
name = "toy/NAME"
description = "Multiply."
[metadata.proofyard.checks]
input = "tamper"
[metadata.proofyard.shortcuts]
constant = "answers"
other_factor = "input"
[agent]
timeout_sec = 20
[verifier]
timeout_sec = 20
[environment]
network_mode = "no-network"
"""
RIGHT = "from pathlib import Path; import sys; print(int(sys.argv[1]) * int(Path('/app/factor.txt').read_text()))"


class Products:
    """A program has to multiply by a drawn factor. weak: the tests of odd seeds look at the visible input only."""

    name = "products"
    open_check = "answers"

    def __init__(self, weak: bool = False) -> None:
        self.weak = weak

    def draft(self, seed: int) -> Draft:
        factor = str(2 + Random(seed).randrange(1000))
        checks = CHECKS.replace("FACTOR", repr(factor))
        if self.weak and seed % 2:
            checks = checks.replace("[said] == EXPECTED", "EXPECTED != []")
        files = {
            "task.toml": TOML.replace("NAME", f"products-{seed}"),
            "instruction.md": "`/app/answer.py N` prints N times what is in `/app/factor.txt`.\n",
            "environment/Dockerfile": "FROM python:3.12-slim\nWORKDIR /app\nCOPY factor.txt .\n",
            "environment/factor.txt": factor,
            "solution/solve.sh": f'#!/bin/bash\necho "{RIGHT}" > /app/answer.py\n',
            "solution/alternatives/other.sh": f'#!/bin/bash\necho "#"; echo "{RIGHT}" > /app/answer.py\n',
            "tests/test.sh": "#!/bin/bash\n# writes /logs/verifier/reward.json\npython3 /tests/checks.py\n",
            "tests/checks.py": checks,
            "tests/expected.json": "[]",
            "tests/shortcuts/constant.sh": f"#!/bin/bash\necho 'print({factor})' > /app/answer.py\n",
            "tests/shortcuts/other_factor.sh": "#!/bin/bash\necho 'print(7)' > /app/answer.py; echo -n 7 > /app/factor.txt\n",
        }
        return Draft(name=f"products-{seed}", seed=seed, files=files, params={"factor": factor})

    def expected(self, draft: Draft, recorded: Mapping[str, float]) -> Mapping[str, str]:
        return {"tests/expected.json": f'["{recorded["answer"]:g}"]'}


FAMILY = Products()
