"""A small correct program (a durable map), ways to break it, and scenarios that tell."""

import base64
from typing import Any

import msgspec

from proofyard.core import (
    Blobs,
    Brief,
    GraderSpec,
    Hidden,
    Limits,
    MemoryBlobs,
    Row,
    SandboxSpec,
    Scenario,
    Session,
    Step,
    Tree,
    tree_of,
)

CORRECT = """
import json, os, sys

def load():
    try:
        with open(PATH) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}

def store(data):
    with open(PATH + ".new", "w") as file:
        json.dump(data, file)
        file.flush()
        os.fsync(file.fileno())
    os.rename(PATH + ".new", PATH)

class Refused(Exception):
    pass

def run(op, args, data):
    if op == "double":
        if type(args.get("n")) is not int:
            raise Refused("invalid_args")
        return {"double": 2 * args["n"]}
    if op == "half":
        return {"half": args["n"] / 2}
    if op == "set":
        data[args["key"]] = args["value"]
        store(data)
        return {"size": len(data)}
    if op == "get":
        if args["key"] not in data:
            raise Refused("not_found")
        return {"value": data[args["key"]]}
    if op == "all":
        return {"items": sorted(data.items())}
    if op == "page":
        names = sorted(data)
        start = names.index(args["cursor"][::-1]) if args.get("cursor") else 0
        rest = names[start + 1:]
        return {"key": names[start], "next_cursor": rest[0][::-1] if rest else None}
    raise Refused("unknown_op")

def answer(line, data):
    ident = None
    try:
        try:
            request = json.loads(line)
        except ValueError:
            raise Refused("bad_json")
        ident = request["id"]
        return {"id": ident, "ok": True, "result": run(request["op"], request.get("args", {}), data)}
    except Refused as error:
        return {"id": ident, "ok": False, "error": {"code": str(error), "message": "refused", "more": 1}}

def main():
    data = load()
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        print(json.dumps(answer(line, data)), flush=True)

PATH = os.path.join(sys.argv[2], "data.json") if len(sys.argv) > 2 else "/dev/null/none"
if len(sys.argv) <= 2:
    def load():
        return {}
    def store(data):
        pass
main()
"""

BROKEN: dict[str, tuple[str, str]] = {
    "wrong result": ('2 * args["n"]', '2 * args["n"] + (args["n"] == 21)'),
    "ids ignored": ('return {"id": ident, "ok": True', 'return {"id": 1, "ok": True'),
    "exits early": (
        "if not line.strip():",
        'if b"half" in line:\n            sys.exit(0)\n        if not line.strip():',
    ),
    "raises": ('return {"half": args["n"] / 2}', "return {}[0]"),
    "extra line at the end": (
        "PATH = os.path",
        "import atexit\natexit.register(lambda: print('bye', flush=True))\nPATH = os.path",
    ),
    "exit code at the end": ("\nmain()\n", "\nmain()\nsys.exit(3)\n"),
    "two lines": (
        "print(json.dumps(answer(line, data)), flush=True)",
        "print(json.dumps(answer(line, data)) + '\\n{}', flush=True)",
    ),
    "not flushed": ("flush=True)", "flush=False)"),
    "hangs": ('if op == "half":', 'if op == "half":\n        import time\n        time.sleep(60)'),
    "stays after the end": ("\nmain()\n", "\nmain()\nimport time\ntime.sleep(60)\n"),
    "burns": ('if op == "half":', 'if op == "half":\n        while True: pass'),
    "eats memory": ('if op == "half":', 'if op == "half":\n        x = [b"x" * (64 << 20) for _ in range(100)]'),
    "floods": ('if op == "half":', 'if op == "half":\n        sys.stdout.write("x" * (2 << 20))'),
    "answers blank lines": ("if not line.strip():\n            continue", "pass"),
    "no error handling": ("except ValueError:", "except ZeroDivisionError:"),
    "wrong error code": ('raise Refused("bad_json")', 'raise Refused("bad_request")'),
    "message is no string": ('"message": "refused"', '"message": 7'),
    "missing operation": ('if op == "double":', 'if op == "dubble":'),
    "does not import": ("import json, os, sys", "import json, os, sys, numpy"),
    "does not parse": ("def load():\n    try:", "def load()\n    try:"),
    "not json": ("print(json.dumps(answer(line, data))", "print(answer(line, data)"),
    "duplicate keys": (
        "print(json.dumps(answer(line, data))",
        "print(json.dumps(answer(line, data))[:-1] + ', \"id\": 1}'",
    ),
    "result has more": ('{"double": 2 * args["n"]}', '{"double": 2 * args["n"], "note": ""}'),
    "state lost": ("        store(data)\n", ""),
    "in place": (
        '    with open(PATH + ".new", "w") as file:\n',
        '    with open(PATH, "w") as file:\n',
    ),
    "cursor by itself": ("rest[0][::-1] if rest", "'zzz' if rest"),
}

IN_PLACE = """
def store(data):
    with open(PATH, "w") as file:
        for part in json.JSONEncoder().iterencode(data):
            file.write(part)
            file.flush()
"""
ANSWER_FIRST = (
    '        store(data)\n        return {"size": len(data)}',
    '        LATER.append(1)\n        return {"size": len(data)}',
)


def program(name: str = "") -> str:
    """The correct program, or the one broken in the way of that name."""
    if not name:
        return CORRECT
    if name == "answers before storing":
        text = _replaced(CORRECT, *ANSWER_FIRST)
        return _replaced(
            text,
            "        print(json.dumps(answer(line, data)), flush=True)\n",
            "        print(json.dumps(answer(line, data)), flush=True)\n        if LATER:\n            store(data)\n"
            "            LATER.clear()\n",
        ).replace("def main", "LATER = []\n\ndef main", 1)
    if name == "in place":
        start, end = CORRECT.index("def store"), CORRECT.index("class Refused")
        return CORRECT[:start] + IN_PLACE.lstrip() + "\n" + CORRECT[end:]
    return _replaced(CORRECT, *BROKEN[name])


def _replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new)


def ask(op: str, ident: str | int = "r", **args: Any) -> dict[str, Any]:
    """A request with a placeholder id of its own type."""
    wanted: dict[str, Any] = {"$id": str(ident)}
    if isinstance(ident, int):
        wanted["type"] = "integer"
    return {"id": wanted, "op": op, "args": args}


def yes(result: Any, ident: str | int = "r") -> dict[str, Any]:
    """The response to `ask` that says ok."""
    return {"id": ask("", ident)["id"], "ok": True, "result": result}


def no(code: str, ident: str | int | None = "r", **more: Any) -> dict[str, Any]:
    """The response to `ask` that refuses."""
    wanted = None if ident is None else ask("", ident)["id"]
    return {"id": wanted, "ok": False, "error": {"code": code, "message": {"$any": "message"}, **more}}


def raw(data: bytes) -> str:
    return base64.b64encode(data).decode()


STATELESS = Scenario(
    name="stateless",
    public=True,
    sessions=(
        Session(
            rows=(
                Row(send=ask("double", n=21), expect=(yes({"double": 42}),), kind="golden"),
                Row(raw=raw(b" \t"), kind="malformed"),
                Row(send=ask("double", 7, n=10**30), expect=(yes({"double": 2 * 10**30}, 7),), kind="boundary"),
                Row(raw=raw(b"{nope"), expect=(no("bad_json", None),), kind="malformed"),
                Row(send=ask("nothing"), expect=(no("unknown_op", more=1),), kind="malformed"),
                Row(send=ask("half", n=5), expect=(yes({"half": 2.5}),), kind="generated"),
                Row(send=ask("double", n=3), expect=(yes({"double": 6}),), kind="generated"),
            )
        ),
    ),
)
STATE = ("--state-dir", "/workspace/state")
RESTART = Scenario(
    name="restart",
    argv=STATE,
    sessions=(
        Session(
            rows=(
                Row(send=ask("set", key="a", value=1), expect=(yes({"size": 1}),), kind="generated"),
                Row(send=ask("set", key="b", value=2), expect=(yes({"size": 2}),), kind="generated", kill="response"),
                Row(send=ask("double", n=1), expect=(yes({"double": 2}),), kind="generated"),
            )
        ),
        Session(
            rows=(
                Row(send=ask("all"), expect=(yes({"items": [["a", 1], ["b", 2]]}),)),
                Row(send=ask("get", key="b"), expect=(yes({"value": 2}),), kind="restart"),
                Row(send=ask("page"), expect=(yes({"key": "a", "next_cursor": {"$bind": "c"}}),), kind="restart"),
                Row(
                    send=ask("page", cursor={"$var": "c"}),
                    expect=(yes({"key": "b", "next_cursor": None}),),
                    kind="restart",
                ),
            )
        ),
        Session(rows=(Row(send=ask("get", key="a"), expect=(yes({"value": 1}),), kind="restart"),)),
    ),
)


def middle(n: int) -> Scenario:
    """Killed at the n-th state-changing call of the second `set`."""
    return Scenario(
        name=f"middle {n}",
        argv=STATE,
        sessions=(
            Session(
                rows=(
                    Row(send=ask("set", key="a", value="old"), expect=(yes({"size": 1}),), kind="generated"),
                    Row(send=ask("set", key="a", value="new"), expect=(yes({"size": 1}),), kind="mid-write", kill=n),
                )
            ),
            Session(
                rows=(
                    Row(
                        send=ask("all"),
                        expect=(yes({"items": [["a", "old"]]}), yes({"items": [["a", "new"]]})),
                        kind="mid-write",
                    ),
                    Row(
                        send=ask("get", key="a"),
                        expect=(yes({"value": "old"}), yes({"value": "new"})),
                        kind="mid-write",
                    ),
                )
            ),
        ),
    )


ALL = (STATELESS, RESTART, *(middle(n) for n in range(1, 7)))


def step(scenarios: tuple[Scenario, ...], *, wall_ms: int = 10_000, cpu_ms: int = 10_000) -> Step:
    """A step graded by those scenarios."""
    armed = any(row.kill is not None for s in scenarios for session in s.sessions for row in session.rows)
    spec = SandboxSpec(
        kept=("/workspace/state",) if any(s.argv for s in scenarios) else (),
        limits=Limits(wall_ms=wall_ms, cpu_ms=cpu_ms),
        armed=armed,
    )
    return Step(
        brief=Brief(task="toy-1", prompt="A map.", entry="main.py"),
        grader=GraderSpec(kind="sessions"),
        grading=spec,
        hidden=Hidden(expected=msgspec.json.encode(scenarios).decode()),
    )


def submission(source: str, blobs: Blobs | None = None, **more: str) -> Tree:
    """A submission of `main.py` and more files."""
    files = {"main.py": source, **{f"{name}.py": text for name, text in more.items()}}
    return tree_of(files, blobs if blobs is not None else MemoryBlobs())
