"""Write what is expected from what the reference came to: `proofyard grade TASK --json | python TASK/tests/write_expected.py`.

Not part of the tests. The digests are those of the exports in the environment.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"


def main() -> None:
    metrics = json.load(sys.stdin)["verdict"]["metrics"]
    found = {part: {} for part in ("unseen", "night", "run")}
    for name, number in metrics.items():
        part, _, rest = name.partition("_")
        if part in found:
            found[part][rest] = int(number)
    expected = {"unseen": found["unseen"], "night": found["night"], "runs": found["run"]}
    exports = sorted((HERE.parent / "environment/app/exports").glob("*.csv"))
    digests = {path.name: sha256(path.read_bytes()).hexdigest() for path in exports}
    for name, content in (("expected", expected), ("digests", digests)):
        (FIXTURES / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")


main()
