"""Contract, inputs and the golden case of the family `split-expenses`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import split_expenses as program

__all__ = ["FAMILY"]

NOTES = (
    "Amounts are whole cents. An expense of a positive amount was paid by `payer` for the people who share it; a "
    "negative one is a refund that `payer` received for them; 0 is allowed. Expenses are numbered from 1. Names are "
    "compared exactly.",
    "**Shares.** An expense is shared by the people in its `shares`, in proportion to their weights (0 is allowed); "
    "an expense without the field `shares` is shared by all `people`, each with weight 1, in the order of `people`. "
    "The payer has a share only if named in them.",
    "**Splitting.** The amount A (of a refund: without its sign) is split so that all shares are whole cents and "
    "their sum is exactly A. With W the sum of the weights, a person of weight w first gets A * w / W rounded down. "
    "The cents that are then left over go one each to the people whose share lost most by rounding down; of people "
    "who lost equally much the payer comes first, then the order in `shares` (or `people`) decides. The shares of a "
    "refund are then made negative.",
    "`paid` of a person is the sum of the amounts of the expenses that person paid (refunds count negative), `owes` "
    "the sum of that person's shares, and **net** is `paid` minus `owes`: a person with a positive net is owed that "
    "much, one with a negative net owes it. The nets of all people add up to 0.",
)

BOOKS = (
    Param(name="people", type="array of 1 to 12 strings, each of 1 to 30 code points", text="the names of all people"),
    Param(
        name="expenses",
        type='array of 0 to 30 objects `{"payer": string, "amount": integer, "shares": [{"person": string, '
        '"weight": integer}, ...]}`',
        text="the expenses; `payer` and `person` have 1 to 30 code points, `amount` is -1000000000 to 1000000000, "
        "`shares` may be left out, otherwise it has 1 to 12 objects, `weight` is 0 to 1000; other keys are ignored",
    ),
)
NUMBER = (("expense", "integer: the number of that expense"),)
ERRORS = (
    ErrorDoc(code="duplicate_person", when="a name occurs twice in `people`"),
    ErrorDoc(
        code="unknown_person", when="the payer or a person in the shares of an expense is not in `people`", extra=NUMBER
    ),
    ErrorDoc(code="repeated_share", when="a person occurs twice in the shares of one expense", extra=NUMBER),
    ErrorDoc(code="no_weight", when="all weights in the shares of an expense are 0", extra=NUMBER),
)
ORDER = (
    "`duplicate_person` comes first; then the expenses are checked in turn, and the first faulty one decides, with "
    "the errors of one expense in the order of this list"
)

TALLY = OperationDoc(
    name="tally",
    summary="What each person paid and owes.",
    parameters=BOOKS,
    result='`{"people": [{"name": string, "paid": integer, "owes": integer, "net": integer}, ...], "total": '
    "integer}`: one object for each person in the order of `people`, and the sum of the amounts of all expenses.",
    errors=ERRORS,
    error_order=ORDER,
)

SETTLE = OperationDoc(
    name="settle",
    summary="Payments after which nobody owes anything.",
    parameters=(
        *BOOKS,
        Param(
            name="through",
            type="string, 1 to 30 code points",
            text="a person who collects and pays out everything; by default people pay each other directly",
            required=False,
        ),
    ),
    result='`{"transfers": [{"from": string, "to": string, "amount": integer}, ...]}`: the payments in the order in '
    "which they are made; amounts are positive. `[]` if all nets are 0.",
    errors=(*ERRORS, ErrorDoc(code="no_such_person", when="`through` is not in `people`")),
    error_order=f"{ORDER}; `no_such_person` comes last",
    rules=(
        "Without `through`: as long as somebody has a net other than 0, the person who owes most pays the person who "
        "is owed most the lesser of what the one owes and the other is owed, and the nets of both change by that. Of "
        "people who owe (or are owed) equally much, the one earlier in `people` is taken.",
        "With `through`: in the order of `people`, each other person with a negative net pays all of it to "
        "`through`; then, again in the order of `people`, `through` pays each other person with a positive net all "
        "of that.",
    ),
)

NAMES = ("Ann", "Bob", "ann", "Çem", "Dora", "Eve", "李", "Frank P.", "Gül")


def generate(rng: Random) -> Input:
    """One input of a random operation; few people and many equal weights, so that cents are left over."""
    people = rng.sample(NAMES, rng.randint(2, 6))
    args: dict[str, Any] = {
        "people": people,
        "expenses": [_expense(rng, people) for _ in range(rng.randint(1, 6))],
    }
    if rng.random() < 0.06:
        rng.choice(args["expenses"])["payer"] = "Zoe"
    if rng.random() < 0.5:
        return "tally", args
    if rng.random() < 0.35:
        args["through"] = rng.choice(people)
    return "settle", args


def _expense(rng: Random, people: list[str]) -> dict[str, Any]:
    amount = rng.randint(1, rng.choice((20, 500, 99999))) * rng.choice((1, 1, 1, 1, -1))
    expense: dict[str, Any] = {"payer": rng.choice(people), "amount": amount}
    if rng.random() < 0.7:
        highest = rng.choice((1, 3, 3, 50))
        chosen = rng.sample(people, rng.randint(1, len(people)))
        expense["shares"] = [_share(name, rng.randint(0, highest)) for name in chosen]
        expense["shares"][0]["weight"] = rng.randint(1, highest)
    return expense


def _share(person: str, weight: int) -> dict[str, Any]:
    return {"person": person, "weight": weight}


def _args(people: str, *expenses: str, **more: Any) -> dict[str, Any]:
    """Arguments from short texts: `a 100` is paid by a for all, `a 100 b:1 c:2` for b and c with weights."""
    return {"people": people.split(), "expenses": [_short(*text.split()) for text in expenses], **more}


def _short(payer: str, amount: str, *shares: str) -> dict[str, Any]:
    expense: dict[str, Any] = {"payer": payer, "amount": int(amount)}
    if shares:
        pairs = [text.rsplit(":", 1) for text in shares]
        expense["shares"] = [_share(person, int(weight)) for person, weight in pairs]
    return expense


WIDE = wide(30)
TWELVE = "a b c d e f g h i j k l"
EVERY = " ".join(f"{name}:{1000 - 7 * i}" for i, name in enumerate(TWELVE.split()))

SPLITS = (
    _args("a b c", "a 100"),
    _args("a b c", "b 100"),
    _args("a b c", "c 101"),
    _args("a b c", "c 2"),
    _args("a b c", "b -100"),
    _args("a b c", "b -1", "a 1"),
    _args("a b c", "a 0"),
    _args("a b c", "a 100 c:1 b:1"),
    _args("a b c", "a 101 c:1 b:1"),
    _args("a b c", "b 101 c:1 b:1"),
    _args("a b c", "c 100 a:1 b:2 c:4"),
    _args("a b c", "c 101 a:2 b:4 c:1"),
    _args("a b c", "c 5 a:1 b:1 c:2"),
    _args("a b c", "c 7 b:3 c:0 a:3"),
    _args("a b c", "c 7 b:3 c:3 a:0"),
    _args("a b c", "a -7 b:1000 c:999 a:1"),
    _args("a b c d e", "c 13 e:1 d:1 c:1 b:1 a:1"),
    _args("a b c d e", "e 14 d:2 c:2 b:1 a:1"),
    _args("a b", "a 10 b:1", "b 10 a:5"),
    _args("a b", "a 10 a:1", "b -3 a:5 b:1", "a 3"),
)
PAYMENTS = (
    _args("a b c", "b 30"),
    _args("a b c d", "b 10 a:1", "d 10 c:1"),
    _args("d c b a", "b 10 a:1", "d 10 c:1"),
    _args("a b c d", "d 10 a:1", "c 10 b:1"),
    _args("a b c d", "a 50 b:1", "a 20 c:1", "d 40 c:1", "d 30 b:1"),
    _args("a b c d e", "a 9 b:1", "c 5 d:1", "e 4 d:1", "c 1 e:1"),
    _args("a b c d", "a 7 b:1", "c 7 d:1", "c 2 b:1"),
    _args("a b", "a 5 a:1"),
    _args("a"),
)

BOUNDARY: tuple[Input, ...] = (
    ("tally", _args("ann bob cy", "bob 1000", "cy 101 bob:2 ann:1", "ann -50 cy:1 bob:1 ann:1")),
    *(("tally", args) for args in SPLITS),
    *(("settle", args) for args in PAYMENTS),
    ("settle", {**PAYMENTS[4], "through": "a"}),
    ("settle", {**PAYMENTS[4], "through": "c"}),
    ("settle", {**PAYMENTS[5], "through": "e"}),
    ("settle", _args("c b a", "a 10 b:1", "a 5 c:1", through="b")),
    ("settle", _args("a b", "a 5 a:1", through="b")),
    ("settle", _args("a b c", "a 1 b:1", through="c")),
    ("settle", _args("a b c d", "b 9 a:1", "d 9 a:1", through="a")),
    ("settle", _args("a b c", "a 5 b:1", through="C")),
    ("settle", _args("a b a", "a 5 b:1", through="z")),
    ("settle", _args("a b", "a 5 z:1", through="z")),
    ("settle", _args("a b", "a 5 b:1 b:1", through="z")),
    ("settle", _args("a b", "a 5 b:0", through="z")),
    ("tally", _args("a")),
    ("tally", _args("a b a", "z 5")),
    ("tally", _args("a b", "a 5", "b 5", "A 5")),
    ("tally", _args("a b", "a 5", "b 5 b:1 c:0")),
    ("tally", _args("a b", "z 5 b:0 b:0")),
    ("tally", _args("a b", "a 5 b:1 b:0")),
    ("tally", _args("a b", "a 5 b:0 b:0")),
    ("tally", _args("a b", "a 0 b:0 a:0")),
    ("tally", _args("a b", "a 5", "a 5 b:0", "a 5 b:1 b:1", "z 1")),
    ("tally", _args("a b", "a 5", "a 5 b:1 b:1", "z 1", "a 5 b:0")),
    ("tally", _args(TWELVE, *[f"f 1000000000 {EVERY}"] * 30)),
    ("settle", _args(TWELVE, *[f"{n} {10**i} {EVERY}" for i, n in enumerate("lakdjf")])),
    ("settle", _args(TWELVE, "a 9", "b -999999999", "c 4", "l 1000000000")),
    ("tally", _args(f"{WIDE} b", f"{WIDE} 7 {WIDE}:1 b:2")),
    ("settle", _args(f"{WIDE} b", f"{WIDE} 7 {WIDE}:1 b:2", through=WIDE)),
)

GOOD = _args("a b", "a 5", "b 7 a:1 b:2")


def _bad(**changes: Any) -> Input:
    """Books with one expense of which fields are changed; a field changed to "gone" is taken away."""
    expense = {key: value for key, value in {**_short("a", "5", "a:1"), **changes}.items() if value != "gone"}
    return "tally", {"people": ["a", "b"], "expenses": [_short("a", "5"), expense]}


MALFORMED: tuple[Input, ...] = (
    ("tally", {"people": ["a"]}),
    ("tally", {"expenses": []}),
    ("tally", {**GOOD, "people": []}),
    ("tally", {**GOOD, "people": "ab"}),
    ("tally", {**GOOD, "people": ["a", ""]}),
    ("tally", {**GOOD, "people": ["a", 1]}),
    ("tally", {**GOOD, "people": ["a", "a", wide(31)]}),
    ("tally", {**GOOD, "people": [str(i) for i in range(13)]}),
    ("tally", {**GOOD, "expenses": GOOD["expenses"][0]}),
    ("tally", {**GOOD, "expenses": [_short("a", "5")] * 31}),
    ("tally", {**GOOD, "expenses": ["a 5"]}),
    _bad(payer="gone"),
    _bad(payer=""),
    _bad(payer=wide(31)),
    _bad(payer=5),
    _bad(amount="gone"),
    _bad(amount=10**9 + 1),
    _bad(amount=-(10**9) - 1),
    _bad(amount=5.0),
    _bad(amount=True),
    _bad(amount="5"),
    _bad(shares=[]),
    _bad(shares=None),
    _bad(shares={"a": 1}),
    _bad(shares=["a"]),
    _bad(shares=[{"person": "a"}]),
    _bad(shares=[{"weight": 1}]),
    _bad(shares=[_share("", 1)]),
    _bad(shares=[_share("a", 1), _share(wide(31), 1)]),
    _bad(shares=[_share("z", 1), _share("a", -1)]),
    _bad(shares=[_share("a", 0), _share("a", 1001)]),
    _bad(shares=[{"person": "a", "weight": True}]),
    _bad(shares=[{"person": "a", "weight": 0.5}]),
    _bad(shares=[_share(name, 1) for name in "abcdefghijklm"]),
    ("tally", {"people": ["a", "a"], "expenses": [_short("z", "5"), {"payer": "a"}]}),
    ("settle", {"people": ["a"]}),
    ("settle", {**GOOD, "through": None}),
    ("settle", {**GOOD, "through": ""}),
    ("settle", {**GOOD, "through": wide(31)}),
    ("settle", {**GOOD, "through": ["a"]}),
    ("settle", {**GOOD, "people": None}),
)

FAMILY = Family(
    number=47,
    slug="split-expenses",
    category="ledgers",
    title="Split expenses",
    purpose="Splits the expenses of a group to the cent, tells who owes how much, and finds the payments that settle it.",
    notes=NOTES,
    operations=(TALLY, SETTLE),
    program=program,
    # 1000 among four: 250 each. 100 by 1:1:1 for bob, cy, dee: 33 each, one cent over; all lost equally and the payer ann
    # has no share, so bob, first in the shares, has 34. 50 by weights 3 (dee) and 4 (ann): 21.43 and 28.57, down 21 and 28;
    # ann lost more: 29. Paid: ann 100, cy 1000, dee 50. Owed: ann 279, bob 284, cy 283, dee 304. Nets: ann -179, bob -284,
    # cy 717, dee -254. bob owes most and pays cy 284, then dee 254, then ann 179.
    golden=Case(
        op="settle",
        args=_args("ann bob cy dee", "cy 1000", "ann 100 bob:1 cy:1 dee:1", "dee 50 dee:3 ann:4"),
        expected={
            "transfers": [
                {"from": "bob", "to": "cy", "amount": 284},
                {"from": "dee", "to": "cy", "amount": 254},
                {"from": "ann", "to": "cy", "amount": 179},
            ]
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
