"""The 45 hostile programs: number, how each is driven, the outcomes that are right, what its answer must say."""

from dataclasses import dataclass, field
from typing import Any

from tests.hostile import checks, drive
from tests.hostile.drive import Drive


@dataclass(frozen=True)
class Row:
    """One program.

    outcomes: what may come of it. other: for a rung with its own, which outcomes. told: what else its request says.
    limits: of the sandbox, where they differ. grows_mb: how much this process may grow meanwhile, at its peak. again: the
    same sandbox must start a polite program afterwards.
    """

    number: int
    outcomes: tuple[str, ...]
    check: checks.Check = checks.nothing
    drive: Drive = drive.ask
    told: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    wall_ms: int = 6_000
    armed: bool = False
    grows_mb: int = 17
    again: bool = False
    other: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The program's file."""
        return next(path.name for path in drive.PROGRAMS.glob(f"p{self.number:02}_*.py"))

    def allowed(self, rung: str) -> tuple[str, ...]:
        """The outcomes that are right on a rung."""
        return self.other.get(rung, self.outcomes)


ANSWERED = ("answered",)
BAD = ("bad_json",)
LATE = ("timeout",)
ENDED = {"landlock": ("eof", "timeout")}
"""No quota but a watch that kills, if the deadline does not end it first: nothing more can be started in the sandbox then."""
SHORT = 300
"""Milliseconds given to a program that never answers."""

ROWS = (
    Row(1, ANSWERED, checks.forks, told={"bound": 200, "gentle": False}, again=True),
    Row(2, ANSWERED, checks.memory, told={"bound": 1024}),
    Row(3, ("oom",), told={"each": 300}, limits={"tree_memory": 256 << 20}, again=True),
    Row(4, ANSWERED, checks.disks, told={"bound": 480}, again=True, grows_mb=40, other=ENDED),
    Row(5, ("output_limit",)),
    Row(6, LATE, wall_ms=SHORT),
    Row(7, LATE, wall_ms=SHORT, again=True),
    Row(8, ANSWERED, checks.ended_well, drive.ask_and_finish),
    Row(9, ANSWERED, checks.untraced, told={"all": True}),
    Row(10, ANSWERED, checks.no_host_data, told={"memory": True}),
    Row(11, ANSWERED, checks.not_written),
    Row(12, ANSWERED, checks.links, again=True),
    Row(13, ANSWERED, checks.specials, again=True),
    Row(14, ("output_limit",)),
    *(Row(number, BAD) for number in range(15, 22)),
    Row(22, ANSWERED),
    *(Row(number, BAD) for number in range(23, 26)),
    Row(26, ("unsolicited_output",), drive=drive.ask_twice),
    Row(27, ANSWERED, checks.an_array),
    Row(28, ("eof", "timeout"), wall_ms=2_000),
    Row(29, ("unsolicited_output",), drive=drive.ask_late, wall_ms=SHORT),
    Row(30, ("eof",)),
    Row(31, LATE, told={"seconds": 60}, wall_ms=SHORT),
    Row(32, ANSWERED, checks.secrets),
    Row(33, ANSWERED, checks.network, told={"far": True}),
    Row(34, ANSWERED, checks.nobody_hit, told={"all": True}, again=True),
    Row(35, ANSWERED, checks.inodes, told={"bound": 20_000}, again=True, other=ENDED),
    Row(36, ANSWERED, checks.descriptors, told={"bound": 2_000}),
    Row(37, LATE, wall_ms=SHORT, again=True),
    Row(38, ANSWERED, checks.privileges, told={"rlimits": True}),
    Row(39, ANSWERED, checks.drained, drive.ask_and_finish, told={"mb": 130}),
    Row(40, LATE, drive=drive.ask_at_length, wall_ms=SHORT),
    Row(41, ("timeout", "eof"), wall_ms=SHORT),
    Row(42, ANSWERED, checks.no_terminal),
    Row(43, ANSWERED, checks.denied, told={"make": True}),
    Row(44, ANSWERED, checks.nothing_installed),
    Row(
        45,
        ("killed", "answered"),
        checks.never_stored,
        drive.kill_in_response,
        armed=True,
        other=dict.fromkeys(("zygote", "landlock"), ("refused",)),
    ),
)
