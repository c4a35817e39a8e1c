"""The scripted model server as a program: `python -m proofyard.testing.serve --faults 429:2,ok,cut --say "Hello."`.

It serves on 127.0.0.1 until it is interrupted.
"""

import argparse
import sys
import threading
from pathlib import Path

from proofyard.testing.faults import FAULTS, parse_faults
from proofyard.testing.script import Policy, Usage, say, write_file
from proofyard.testing.server import ModelServer

__all__ = ["main"]


def main(arguments: list[str] | None = None, stop: threading.Event | None = None) -> int:
    """Serve until interrupted, or until `stop` is set; return the exit code."""
    known = "\n".join(f"  {name:16} {what}" for name, what in FAULTS.items())
    parser = argparse.ArgumentParser(
        prog="python -m proofyard.testing.serve",
        description="A scripted model server on this machine, for all wires.",
        epilog=f"faults, one a request in order (ok: none; NAME:VALUE; NAME*3 repeats):\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--faults", default="", metavar="LIST", help="what goes wrong, e.g. 429:2,overloaded,ok,cut")
    parser.add_argument("--say", default="Hello.", metavar="TEXT", help="what the model answers")
    parser.add_argument(
        "--write", nargs=2, metavar=("PATH", "FILE"), help="write FILE's content to PATH by a tool offered"
    )
    parser.add_argument("--key", action="append", default=[], help="a key it takes (default: any)")
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="write what was asked and answered there")
    options = parser.parse_args(arguments)
    try:
        faults = parse_faults(options.faults)
    except ValueError as error:
        parser.error(str(error))
    policy: Policy = say(options.say, usage=Usage(100, 20))
    if options.write:
        policy = write_file(options.write[0], Path(options.write[1]).read_text(encoding="utf-8"))
    server = ModelServer(policy, faults=faults, keys=options.key, port=options.port, ledger_file=options.ledger)
    with server:
        for wire in ("openai-chat", "openai-responses", "anthropic-messages", "gemini"):
            print(f"{wire:20} {server.url(wire)}", flush=True)
        try:
            (stop or threading.Event()).wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
