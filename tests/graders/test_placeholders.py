import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofyard.core import equal
from proofyard.graders.placeholders import UnboundError, Values, _placeholder, illustrated


def test_ids_are_random_typed_and_the_same_wherever_they_recur() -> None:
    values = Values("seed")
    first = values.request({"id": {"$id": "a"}, "args": [{"$id": "a"}, {"$id": "b"}, {"$id": "n", "type": "integer"}]})
    assert first["args"][0] == first["id"] != first["args"][1]
    assert isinstance(first["id"], str) and len(first["id"]) == 12
    assert type(first["args"][2]) is int
    assert values.expected({"$id": "a"}) == first["id"]
    assert Values("seed").request({"$id": "a"}) == first["id"]
    assert Values("other").request({"$id": "a"}) != first["id"]


def test_many_ids_are_distinct() -> None:
    values = Values("s")
    assert len({values.request({"$id": str(n)}) for n in range(500)}) == 500


def test_bound_values() -> None:
    values = Values("s")
    with pytest.raises(UnboundError, match="cursor"):
        values.request({"args": {"cursor": {"$var": "cursor"}}})
    found: dict[str, str] = {}
    assert values.match({"$bind": "cursor"}, "xyz", found) is True
    assert values.expected({"$var": "cursor"}) == {"$var": "cursor"}  # nothing is bound until the whole row matched
    values.bind(found)
    assert values.request([{"$var": "cursor"}]) == ["xyz"]
    assert values.expected({"a": {"$var": "cursor"}}) == {"a": "xyz"}
    ways = [values.request({"$var": "cursor", "altered": way}) for way in ("first", "last", "longer")]
    assert ways == ["Ayz", "xyA", "xyz!"]
    values.bind({"cursor": "AA"})
    assert values.request({"$var": "cursor", "altered": "first"}) == "BA"
    with pytest.raises(UnboundError, match="other"):
        values.request({"$var": "other", "altered": "first"})


@pytest.mark.parametrize(
    ("expected", "got", "decided"),
    [
        ({"$any": "string"}, "x", True),
        ({"$any": "string"}, "", False),
        ({"$any": "string"}, 5, False),
        ({"$any": "string"}, None, False),
        ({"$any": "message"}, "", True),
        ({"$any": "message"}, None, False),
        ({"$bind": "c"}, "", False),
        ({"$bind": "c"}, None, False),
        ({"$var": "never"}, "x", False),
        ({"$any": "thing"}, "x", None),
        ({"$any": "string", "b": 1}, "x", None),
        ({"$id": "x", "type": "float"}, "x", None),
        ({"$var": "x", "altered": "middle"}, "x", None),
        ({"$other": "x"}, "x", None),
        ({"$bind": 5}, "x", None),
        ({}, {}, None),
    ],
)
def test_wild_cards(expected: dict[str, object], got: object, decided: bool | None) -> None:
    found: dict[str, str] = {}
    assert Values("s").match(expected, got, found) is decided
    assert found == {}


def test_objects_that_are_no_placeholders_are_left_alone() -> None:
    data = {"$any": "thing", "x": [{"$id": 5}, {"$id": "a", "b": 1}], "$bind": "y"}
    assert Values("s").request(data) == data


HOLES = st.sampled_from([{"$id": "a"}, {"$id": "n", "type": "integer"}, {"$bind": "c"}, {"$any": "string"}])
TEMPLATES = st.recursive(
    HOLES | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=12,
)


def answered(value: object, values: Values) -> object:
    """What a correct program would say where the template has holes."""
    if isinstance(value, list):
        return [answered(item, values) for item in value]
    if isinstance(value, dict) and value in ({"$bind": "c"}, {"$any": "string"}):
        return "opaque"
    if isinstance(value, dict) and "$id" not in value:
        return {key: answered(item, values) for key, item in value.items()}
    return values.request(value)


@given(TEMPLATES)
def test_a_right_answer_matches_its_template_and_a_wrong_one_does_not(template: object) -> None:
    values = Values("seed")
    found: dict[str, str] = {}
    wanted, got = values.expected(template), answered(template, values)

    def special(one: object, other: object) -> bool | None:
        return values.match(one, other, found)

    assert equal(wanted, got, special=special) is None
    assert set(found.values()) <= {"opaque"}
    assert equal([wanted], [got, 1], special=special) is not None
    assert equal({"x": wanted}, {"x": [got, got, got, got]}, special=special) is not None


@pytest.mark.parametrize(
    ("expected", "got", "shown"),
    [
        ({"$any": "message"}, "", ""),
        ({"$any": "message"}, None, "<any text>"),
        ({"$any": "string"}, "x", "x"),
        ({"$any": "string"}, "", "<any text that is not empty>"),
        ({"$bind": "c"}, "x", "x"),
        ({"$bind": "c"}, 5, "<any text that is not empty>"),
        ({"$var": "c"}, "x", "<the value of an earlier response>"),
        (
            {"id": 5, "error": {"code": "a", "message": {"$any": "message"}}},
            {"id": 6, "error": {"code": "b", "message": "no"}},
            {"id": 5, "error": {"code": "a", "message": "no"}},
        ),
        ([{"$any": "string"}, [{"$any": "string"}]], ["x", {}, 7], ["x", ["<any text that is not empty>"]]),
        ({"$any": "thing", "b": [1]}, [], {"$any": "thing", "b": [1]}),
        ([{"$any": "message"}], {"0": "x"}, ["<any text>"]),
    ],
)
def test_what_a_person_is_shown(expected: object, got: object, shown: object) -> None:
    assert illustrated(expected, got) == shown


def parts(value: object) -> list[object]:
    """The value and all that is in it."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return [value, *(part for item in inner for part in parts(item))]


@example("$")
@given(TEMPLATES)
def test_no_notation_is_shown(template: object) -> None:
    values = Values("s")
    for wanted in (template, values.expected(template)):
        for shown in (illustrated(wanted), illustrated(wanted, answered(template, values))):
            assert not [value for value in parts(shown) if _placeholder(value) is not None]
