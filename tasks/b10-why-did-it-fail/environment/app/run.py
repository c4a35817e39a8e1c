"""The takings of each day that is named: `python run.py DAY...`, in this folder."""

import sys

from ferry.pipeline import takings


def main(days: list[str]) -> int:
    """One run a day. One that fails does not keep the next from its run."""
    failed = []
    for day in days:
        try:
            takings(day=day)
        except RuntimeError as error:
            failed.append(f"{day}: {error}")
    print(*failed, sep="\n", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
