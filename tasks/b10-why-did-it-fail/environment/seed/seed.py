"""Record the runs that there were, in one process: those of the scheduler and those started by hand."""

import os
import sys

RUNS = (
    ("2026-03-02", True),
    ("2026-03-03", True),
    ("2025-12-30", False),
    ("2026-03-04", True),
    ("2026-03-04", False),
    ("2026-03-05", True),
    ("2026-02-30", False),
    ("2026-03-06", True),
    ("2026-03-07", True),
    ("2025-12-31", False),
    ("2026-03-08", True),
    ("2025-12-29", False),
)


def main() -> None:
    os.chdir("/app")
    sys.path.insert(0, "/app")
    from ferry.pipeline import takings

    for number, (day, scheduled) in enumerate(RUNS, 1):
        run = takings.with_options(run_name=f"takings-{number}", tags=["scheduled"] if scheduled else [])
        try:
            run(day=day)
        except RuntimeError as error:
            print(f"{day}: {error!r}")


main()
