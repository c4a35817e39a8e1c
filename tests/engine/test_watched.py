import msgspec

from proofyard.core import Move, MoveCall, Subject, Tree
from proofyard.engine.orders import AttemptOrder, Site
from proofyard.engine.watched import Watched
from tests.agents.helpers import Notes


def order() -> AttemptOrder:
    return AttemptOrder(
        site=Site(run="r"),
        trial="t",
        task="t",
        subject=Subject(agent="a"),
        subject_digest="s",
        subject_name="a",
        brief=msgspec.Raw(b"{}"),
        brief_digest="b",
        k=0,
        skills={"careful": Tree(), "other": Tree()},
        mcp='{"math":{"command":"x"},"web":{"command":"y"}}',
    )


def called(name: str, arguments: str = "{}") -> Move:
    return Move(n=1, source="agent", calls=(MoveCall(id="1", name=name, arguments=arguments),))


def test_what_was_given_and_not_used_is_told_from_what_was() -> None:
    notes = Notes()
    watched = Watched(notes, order())
    watched.move(called("shell", '{"command":"cat /skills/careful/SKILL.md"}'))
    watched.move(called("mcp__math__double"))
    watched.step("ended", how="done")
    watched.keep("f", b"x")
    assert watched.facts == {
        "skill:careful": "read",
        "skill:other": "not read",
        "mcp:math": "used",
        "mcp:web": "not used",
    }
    assert (len(notes.moves), notes.steps, notes.kept) == (2, [("ended", {"how": "done"})], {"f": b"x"})


def test_other_ways_to_read_and_to_use() -> None:
    watched = Watched(Notes(), order())
    watched.move(called("Skill", '{"skill":"other"}'))
    watched.move(called("web_fetch"))
    watched.move(Move(n=3, source="agent", extra={"commands": '["cat /skills/careful/SKILL.md"]'}))
    assert [watched.facts[name] for name in ("skill:careful", "skill:other", "mcp:math", "mcp:web")] == [
        "read",
        "read",
        "not used",
        "used",
    ]


def test_words_of_the_model_alone_are_no_use() -> None:
    watched = Watched(Notes(), order())
    watched.move(Move(n=1, source="agent", message="I have read /skills/careful/SKILL.md and asked math."))
    assert set(watched.facts.values()) == {"not read", "not used"}
