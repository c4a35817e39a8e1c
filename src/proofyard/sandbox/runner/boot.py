"""Entry of the runner process: `python -I -S -B boot.py FD`, where FD is its end of the control socket.

The parent packages are stood in for by empty modules, so that nothing of proofyard outside the runner's own modules is
ever executed here, whatever their `__init__` imports.
"""

import sys
import types

SANDBOX = __file__.rsplit("/", 2)[0]
PACKAGES = {"proofyard": SANDBOX.rsplit("/", 1)[0], "proofyard.sandbox": SANDBOX}


def stand_in() -> None:
    """Make `proofyard` and `proofyard.sandbox` importable as bare namespaces."""
    for name, path in PACKAGES.items():
        module = types.ModuleType(name)
        module.__path__ = [path]
        sys.modules[name] = module


if __name__ == "__main__":
    stand_in()
    from proofyard.sandbox.runner.server import serve

    serve(int(sys.argv[1]))
