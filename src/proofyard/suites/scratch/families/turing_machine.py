"""Contract, inputs and the golden case of the family `turing-machine`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import turing_machine as program

__all__ = ["FAMILY"]

NOTES = (
    "A Turing machine has a tape of cells numbered by all integers, negative ones to the left. Each cell holds a "
    "symbol, which is one code point. A text is written on the tape from cell 0 to the right; all other cells hold the "
    "blank symbol. The blank symbol may occur in the text, and there it is an ordinary blank. The head starts on cell "
    "0, the machine in state `start`. States and symbols are compared exactly; a state is any string that is named.",
    "**Rules.** A rule applies if the machine is in its `state` and the symbol under the head is its `read`. If "
    "there is no such rule, the rule with this `state` and `read` `*` applies, if there is one: `*` stands for every "
    "symbol that has no rule of its own in that state, a `*` on the tape among them.",
    "**Step.** In a step the rule that applies writes its `write` into the cell under the head, or leaves the symbol "
    "as it is if `write` is `*`; then the head moves one cell left (`L`), right (`R`), or stays (`S`); then the "
    "machine is in state `next`. If no rule applies, the machine has **halted**; so it may halt before any step. It is "
    "stopped unhalted if a rule applies but `max_steps` steps have been done.",
    "With `one_way` true there are no cells to the left of 0: a move left from cell 0 leaves the head on cell 0 (the "
    "rest of the step is done as usual).",
)

MACHINE = (
    Param(
        name="rules",
        type='array of 0 to 40 objects `{"state": string, "read": string, "write": string, "move": string, "next": '
        "string}`",
        text="the rules in any order; `state` and `next` have 1 to 20 code points, `read` and `write` exactly 1, "
        "`move` is `L`, `R` or `S`; other keys are ignored",
    ),
    Param(name="start", type="string, 1 to 20 code points", text="the first state"),
    Param(name="blank", type="string, 1 code point", text="the blank symbol; default `_`", required=False),
    Param(
        name="one_way",
        type="boolean",
        text="whether the tape ends at the left of cell 0; default false",
        required=False,
    ),
)
DUPLICATE = ErrorDoc(
    code="duplicate_rule",
    when="a rule has the same `state` and the same `read` as an earlier one, even if both are wholly the same",
    extra=(("index", "integer: the place of the first such rule in `rules`, counted from 0"),),
)

SIMULATE = OperationDoc(
    name="simulate",
    summary="Runs a machine on one tape.",
    parameters=(
        *MACHINE,
        Param(name="tape", type="string, 0 to 100 code points", text="the text on the tape at the start"),
        Param(
            name="max_steps",
            type="integer, 0 to 1000",
            text="how many steps may be done; default 1000",
            required=False,
        ),
    ),
    result='`{"halted": boolean, "state": string, "steps": integer, "head": integer, "first": integer, "tape": '
    "string}`: whether the machine halted, its last state, the number of steps done, the number of the cell under the "
    "head, the number of the leftmost cell that is not blank, and the symbols from that cell to the rightmost one "
    "that is not blank (blanks between them included). If all cells are blank, `first` is 0 and `tape` is empty.",
    errors=(DUPLICATE,),
)

DECIDE = OperationDoc(
    name="decide",
    summary="Which of several inputs a machine accepts.",
    parameters=(
        *MACHINE,
        Param(
            name="inputs",
            type="array of 1 to 10 strings, each of 0 to 30 code points",
            text="the inputs; the machine runs on each one anew",
        ),
        Param(
            name="accept",
            type="array of 0 to 10 strings, each of 1 to 20 code points",
            text="the accepting states, in any order",
        ),
        Param(
            name="max_steps",
            type="integer, 0 to 100",
            text="how many steps may be done on each input; default 100",
            required=False,
        ),
    ),
    result='`{"results": [{"verdict": string, "steps": integer}, ...]}`: for each input, in order, the verdict and the '
    "number of steps done. The verdict is `accept` if the machine halted in an accepting state, `reject` if it halted "
    "in another one, `unknown` if it did not halt.",
    errors=(DUPLICATE,),
    rules=("A machine accepts only by halting: that it enters an accepting state and goes on does not count.",),
)

SYMBOLS = ("0", "1", "_", "x", "é", "*")
STATES = ("a", "B", "go", "état", "q1")


def generate(rng: Random) -> Input:
    """A random machine, mostly with a rule for each state and symbol it meets."""
    states, symbols = rng.sample(STATES, rng.randint(2, 3)), rng.sample(SYMBOLS, rng.randint(3, 4))
    rules = [
        _rule(state, read, rng.choice(symbols), rng.choice("LRRS"), rng.choice(states))
        for state in states
        for read in symbols
        if rng.random() < 0.85
    ]
    rng.shuffle(rules)
    if rules and rng.random() < 0.05:
        rules.append({**rng.choice(rules), "next": "halt"})
    args: dict[str, Any] = {"rules": rules, "start": states[0]}
    if rng.random() < 0.4:
        args["blank"] = rng.choice(symbols)
    if rng.random() < 0.5:
        args["one_way"] = rng.random() < 0.7
    if rng.random() < 0.6:
        args["tape"] = _text(rng, symbols, 12)
        return "simulate", {**args, "max_steps": rng.randint(20, 200)}
    args["inputs"] = [_text(rng, symbols, 8) for _ in range(rng.randint(2, 6))]
    args["accept"] = rng.sample(states, rng.randint(1, 2))
    return "decide", {**args, "max_steps": rng.randint(5, 60)}


def _text(rng: Random, symbols: list[str], most: int) -> str:
    return "".join(rng.choice(symbols) for _ in range(rng.randint(0, most)))


def _rule(state: str, read: str, write: str, move: str, following: str) -> dict[str, str]:
    return {"state": state, "read": read, "write": write, "move": move, "next": following}


def _args(rules: str, start: str = "a", **more: Any) -> dict[str, Any]:
    """A machine from a short text: `a01Rb` is in a, reading 0: write 1, go right, state b (states of one letter)."""
    return {"rules": [_rule(*text) for text in rules.split()], "start": start, **more}


BEAVER = "a_1Rb a11Lc b_1La b11Rb c_1Lb c11Rh"
BEAVER4 = "a_1Rb a11Lb b_1La b1_Lc c_1Rh c11Ld d_1Rd d1_Ra"
ADD = "a00Ra a11Ra a__Lb b10Lb b01Rc b_1Rc"
EVEN = "a0*Ra a1*Rb b0*Rb b1*Ra a__Sy"
PALINDROME = "a0_Rb a1_Rc a__Sy b**Rb b__Ld c**Rc c__Le d0_Lf e1_Lf d__Sy e__Sy f**Lf f__Ra"
FOREVER = "a**Ra"
FORTY = " ".join(
    f"{'abcdefghij'[i]}{j}{(i + j) % 4}{'RLR'[(i + j) % 3]}{'abcdefghij'[(3 * i + j) % 10]}"
    for i in range(10)
    for j in range(4)
)

BOUNDARY: tuple[Input, ...] = (
    ("simulate", _args("a**Ra a11Lb b0*Lb b_xSc", tape="001_*", one_way=False)),
    ("simulate", _args("", tape="")),
    ("simulate", _args("", tape="_0_1__")),
    ("simulate", _args("", tape="  0  ", blank=" ")),
    ("simulate", _args("", tape="0000", blank="0")),
    ("simulate", _args("a01Ra", tape="", blank="0", max_steps=3)),
    ("simulate", _args("b01Rb", tape="0")),
    ("simulate", _args("A01RA", tape="0")),
    ("simulate", _args("a01Rb", tape="0", max_steps=0)),
    ("simulate", _args("a01Rb", tape="1", max_steps=0)),
    ("simulate", _args("a01Rb", tape="0", max_steps=1)),
    ("simulate", _args("a01Rb b_1Rc", tape="0", max_steps=1)),
    ("simulate", _args(FOREVER, tape="")),
    ("simulate", _args(FOREVER, tape="1", max_steps=1000)),
    ("simulate", _args("a_1La", tape="")),
    ("simulate", _args("a_1La", tape="", one_way=True)),
    ("simulate", _args("a_1Lb b12Lc c_3Ld", tape="", one_way=True)),
    ("simulate", _args("a_1Lb b_2Lc c_3Ld", tape="", one_way=False)),
    ("simulate", _args("a_1Lb b_2Rc c13Ld d24Ld", tape="")),
    ("simulate", _args("a0*Lb b**Lb", tape="0", one_way=True, max_steps=4)),
    ("simulate", _args("a01Rb b0*Lc c1xLd d_yS_", tape="00", one_way=True)),
    ("simulate", _args("a0_Ra", tape="0000")),
    ("simulate", _args("a0_Ra a_1Rb", tape="00", max_steps=2)),
    ("simulate", _args("a*1Ra a0*Rb b*xRb b_*Sc", tape="*0*_")),
    ("simulate", _args("a**Rb b*xRb b**Rb", tape="*0*_")),
    ("simulate", _args("a*1Ra a*1Ra a0*Rb", tape="*")),
    ("simulate", _args("a01Ra b01Ra a11Ra a0*Sb b01Sb", tape="*")),
    ("simulate", _args(BEAVER, tape="")),
    ("simulate", _args(BEAVER4, tape="")),
    ("simulate", _args(BEAVER4, tape="", max_steps=107)),
    ("simulate", _args(BEAVER4, tape="", max_steps=106)),
    ("simulate", _args(BEAVER4, tape="", one_way=True)),
    ("simulate", _args(ADD, tape="1011")),
    ("simulate", _args(ADD, tape="111")),
    ("simulate", _args(ADD, tape="0")),
    ("simulate", _args("aéxRa a😀éRa", tape=wide(100), blank="😀", max_steps=99)),
    (
        "simulate",
        {
            "rules": [{**_rule(wide(20), "é", "😀", "R", wide(20)), "junk": None}],
            "start": wide(20),
            "blank": "😀",
            "tape": wide(100),
        },
    ),
    ("simulate", _args("a😀*Ra", tape="😀", blank="é")),
    ("decide", _args(EVEN, inputs=["", "1", "0110", "01", "2"], accept=["y"])),
    ("decide", _args(EVEN, inputs=["11", "1"], accept=["b", "a"])),
    ("decide", _args(EVEN, inputs=["11", "1"], accept=[])),
    ("decide", _args(EVEN, inputs=["11", "11", "_1"], accept=["y"], max_steps=2)),
    ("decide", _args(EVEN, inputs=["11", "1", ""], accept=["y", "z", "y"], max_steps=3)),
    ("decide", _args(EVEN, inputs=["", "2"], accept=["a"], max_steps=0)),
    ("decide", _args(PALINDROME, inputs=["", "0", "10", "0110", "10101", "011", "1011", "1__1"], accept=["y"])),
    ("decide", _args(PALINDROME, inputs=["10011001", "1001100110011001"], accept=["y"])),
    ("simulate", _args(FORTY, tape="0123" * 9)),
    ("decide", _args(FOREVER, inputs=["0"], accept=["b"], max_steps=100)),
    ("decide", _args(FOREVER, inputs=["", "11"], accept=["a"])),
    ("decide", _args("a**Lb b**Rc", inputs=["1", "_"], accept=["b", "c"], one_way=True)),
    ("decide", _args("a1*Lb b1*Lc b_*Ld", inputs=["1"], accept=["c"], one_way=True)),
    ("decide", _args("a1*Lb b1*Lc b_*Ld", inputs=["1"], accept=["c"], one_way=False)),
    ("decide", _args("a..Rb b1*Rc", inputs=[".1", "._", "1"], accept=["c"], blank=".")),
    ("decide", _args("a0*Rb b_*Rb", inputs=["0", "00"], accept=["b"], blank="0", max_steps=9)),
    ("decide", _args("a1*Lb a0*Lb a1*Lb", inputs=["0"], accept=[])),
    (
        "decide",
        {
            "rules": [_rule(wide(20), "é", "😀", "R", wide(20)), _rule("b", "😀", "é", "L", "b")],
            "start": wide(20),
            "blank": "😀",
            "inputs": ["é", wide(30)],
            "accept": [wide(20)],
        },
    ),
    ("decide", _args("", inputs=[""] * 10, accept=["abcdefghij"[i] for i in range(10)][::-1])),
)

GOOD = _args(EVEN, tape="11")
MANY = _args(EVEN, inputs=["11"], accept=["y"])
RULE = _rule("a", "0", "1", "R", "b")


def _bad_rule(**changes: Any) -> Input:
    """A machine with one rule of which fields are changed; a field changed to "gone" is taken away."""
    rule = {key: value for key, value in {**RULE, **changes}.items() if value != "gone"}
    return "simulate", {"rules": [RULE, RULE, rule], "start": "a", "tape": ""}


MALFORMED: tuple[Input, ...] = (
    *(("simulate", {k: v for k, v in GOOD.items() if k != name}) for name in GOOD),
    *(_bad_rule(**{name: "gone"}) for name in RULE),
    *(_bad_rule(state=bad) for bad in ("", wide(21), 5, None)),
    *(_bad_rule(next=bad) for bad in ("", wide(21), 5, None)),
    *(_bad_rule(read=bad) for bad in ("", "00", 0, None)),
    *(_bad_rule(write=bad) for bad in ("", "00", 1, None)),
    *(_bad_rule(move=bad) for bad in ("", "r", "LR", 1, None)),
    ("simulate", {**GOOD, "rules": RULE}),
    ("simulate", {**GOOD, "rules": ["a01Rb"]}),
    ("simulate", {**GOOD, "rules": [RULE] * 41}),
    *(("simulate", {**GOOD, "start": bad}) for bad in ("", wide(21), 5, None)),
    *(("simulate", {**GOOD, "blank": bad}) for bad in ("", "__", 0, None)),
    *(("simulate", {**GOOD, "one_way": bad}) for bad in (0, 1, "true", None)),
    *(("simulate", {**GOOD, "tape": bad}) for bad in ("0" * 101, wide(101), 5, ["0"], None)),
    *(("simulate", {**GOOD, "max_steps": bad}) for bad in (-1, 1001, 5.0, True, "5", None)),
    *(("decide", {k: v for k, v in MANY.items() if k != name}) for name in MANY),
    *(("decide", {**MANY, "inputs": bad}) for bad in ([], ["0"] * 11, "11", ["1", 1], ["1", "1" * 31], [wide(31)])),
    *(("decide", {**MANY, "accept": bad}) for bad in (["y"] * 11, "y", [""], ["y", None], [wide(21)])),
    *(("decide", {**MANY, "max_steps": bad}) for bad in (-1, 101, True, None)),
    ("decide", {**MANY, "one_way": "no"}),
)

FAMILY = Family(
    number=63,
    slug="turing-machine",
    category="simulation",
    title="Turing machine",
    purpose="Runs Turing machines on a tape, with rules that stand for any symbol, and decides which inputs a machine "
    "accepts.",
    notes=NOTES,
    operations=(SIMULATE, DECIDE),
    program=program,
    # a on 1 (cell 0): the rule for any symbol leaves it, right. a on 0 (cell 1): its own rule writes x, left, to b. b on 1
    # (cell 0): leaves it, left. b on blank (cell -1): writes y, stays, to c. c has no rule: halted after 4 steps on cell -1.
    # The tape is y 1 x * from cell -1; the blank after it is cut off.
    golden=Case(
        op="simulate",
        args=_args("a**Ra a0xLb b1*Lb b_ySc", tape="10*_"),
        expected={"halted": True, "state": "c", "steps": 4, "head": -1, "first": -1, "tape": "y1x*"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
