"""A recorder that sees which of the things an attempt was given were used."""

import msgspec

from proofyard.core import Move, Recorder
from proofyard.engine.orders import AttemptOrder

__all__ = ["Watched"]


class Watched:
    """Passes everything on, and looks for skills read and servers called. It goes by what the tools were called with."""

    def __init__(self, recorder: Recorder, order: AttemptOrder) -> None:
        self._recorder = recorder
        servers = msgspec.json.decode(order.mcp, type=dict[str, object]) if order.mcp else {}
        self._skills = dict.fromkeys(order.skills, False)
        self._servers = dict.fromkeys(servers, False)

    def step(self, kind: str, **data: object) -> None:
        """Append one step."""
        self._recorder.step(kind, **data)

    def keep(self, name: str, data: bytes) -> None:
        """Keep a file."""
        self._recorder.keep(name, data)

    def move(self, move: Move) -> None:
        """Append one move, and look at it."""
        self._recorder.move(move)
        commands = move.extra.get("commands", "")
        for skill in self._skills:
            named = any(
                f"skills/{skill}" in call.arguments or (call.name.lower() == "skill" and skill in call.arguments)
                for call in move.calls
            )
            self._skills[skill] |= named or f"skills/{skill}" in commands
        for server in self._servers:
            self._servers[server] |= any(_of_server(call.name, server) for call in move.calls)

    @property
    def facts(self) -> dict[str, str]:
        """Each skill and server that was given, and whether it was used."""
        skills = {f"skill:{name}": "read" if used else "not read" for name, used in self._skills.items()}
        return skills | {f"mcp:{name}": "used" if used else "not used" for name, used in self._servers.items()}


def _of_server(tool: str, server: str) -> bool:
    """Whether a tool is a server's, as agents name them: `mcp__server__tool`, `server_tool`, `server.tool`."""
    plain = tool.removeprefix("mcp__")
    return any(plain.startswith(server + sign) for sign in ("__", "_", ".", "/", ":"))
