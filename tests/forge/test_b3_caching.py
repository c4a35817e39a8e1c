"""What ways of caching would execute, worked out by hand for a job of three steps and four nights."""

from proofyard.forge.instances.b3_caching import Step, Way, differs, play, required

JOB = (Step("load", (), "rows"), Step("fit", ("load",)), Step("rate", ("load", "fit"), "limits"))
ALL = ("load", "fit", "rate")
NIGHTS = (
    {"rows": "a", "limits": "a"},
    {"rows": "b", "limits": "a"},
    {"rows": "a", "limits": "b"},
    {"rows": "a", "limits": "a"},
)
RIGHT = {"load": Way("content", ("rows",)), "rate": Way("content", ("limits",))}
EVERY = {name: Way("content", ("rows", "limits")) for name in ALL}
TIMES = {"load": Way("time"), "rate": Way("time")}
NEVER = {name: Way("never") for name in ALL}
ROWS_ONLY = {"load": Way("content", ("rows",))}


def executed(ways: dict[str, Way]) -> list[str]:
    return [" ".join(name for name in ALL if name in night.executed) for night in play(JOB, NIGHTS, ways)]


def test_what_is_executed() -> None:
    assert executed({}) == ["load fit rate", "", "", ""]
    assert executed(RIGHT) == ["load fit rate", "load fit rate", "rate", ""]
    assert executed(ROWS_ONLY) == ["load fit rate", "load fit rate", "", ""]
    assert executed(EVERY) == ["load fit rate", "load fit rate", "load fit rate", ""]
    assert executed(TIMES) == ["load fit rate", "load fit rate", "load rate", "load rate"]
    assert executed(NEVER) == ["load fit rate"] * 4
    assert play(JOB, NIGHTS, RIGHT) == required(JOB, NIGHTS)


def test_a_stale_output_is_of_the_first_night() -> None:
    nights = play(JOB, NIGHTS, ROWS_ONLY)
    assert nights[2].outputs["rate"] == nights[0].outputs["rate"] != nights[1].outputs["rate"]


def test_sides_follow_from_what_has_to_be_cached() -> None:
    sides = {
        name: [differs(JOB, NIGHTS, ways, must) for must in (ALL, ("load",), ("fit",), ("rate",))]
        for name, ways in {"right": RIGHT, "every": EVERY, "times": TIMES, "never": NEVER, "rows": ROWS_ONLY}.items()
    }
    assert sides == {
        "right": ["", "", "", ""],
        "every": ["seen", "seen", "seen", ""],
        "times": ["seen", "seen", "", "seen"],
        "never": ["seen", "seen", "seen", "seen"],
        "rows": ["new", "result", "result", "new"],
    }
    assert differs(JOB, NIGHTS, {}, ("fit",)) == "new"
