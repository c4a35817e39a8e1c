"""Write what is expected from what the reference came to: `proofyard grade TASK --json | python TASK/tests/write_expected.py`.

Not part of the tests. Only the check of the ratings may have failed.
"""

import json
import sys
from pathlib import Path

NAMES = ("watch", "alarm", "room", "period")
NIGHTS = 4

verdict = json.load(sys.stdin)["verdict"]
if verdict["provenance"].get("failed_checks", "test_ratings") != "test_ratings":
    sys.exit(f"the reference fails {verdict['provenance']['failed_checks']}")
found = [{name: verdict["metrics"][f"night{night}_{name}"] for name in NAMES} for night in range(1, NIGHTS + 1)]
Path(__file__).with_name("fixtures").joinpath("expected.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
