"""Contract, inputs and the golden case of the family `double-entry`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import double_entry as program

__all__ = ["FAMILY"]

NOTES = (
    "Amounts are whole minor units (cents). An **entry** is a list of lines; each line debits or credits one "
    "account. The same account may occur in several lines of an entry, on either side.",
    "The **balance** of an account is counted on its normal side: for `asset` and `expense` accounts debits minus "
    "credits, for `liability`, `equity` and `income` accounts credits minus debits. It may be negative.",
    "Entries are numbered from 1 in the order given.",
    "Names of accounts are compared exactly; where they are ordered, then by code point, as Python compares strings.",
)

BOOKS = (
    Param(
        name="accounts",
        type='array of 1 to 20 objects `{"name": string, "type": string}`',
        text="the accounts; `name` has 1 to 40 code points, `type` is `asset`, `expense`, `liability`, `equity` or "
        "`income`; other keys are ignored",
    ),
    Param(
        name="entries",
        type='array of 0 to 30 objects `{"lines": [{"account": string, "side": string, "amount": integer}, ...]}`',
        text="the entries, each with 2 to 10 lines; `account` has 1 to 40 code points, `side` is `debit` or "
        "`credit`, `amount` is 1 to 1000000000000; other keys are ignored",
    ),
)
ENTRY_NUMBER = (("entry", "integer: the number of that entry"),)
BOOK_ERRORS = (
    ErrorDoc(code="duplicate_account", when="two accounts have the same name"),
    ErrorDoc(
        code="unknown_account", when="a line of an entry names an account that is not in `accounts`", extra=ENTRY_NUMBER
    ),
    ErrorDoc(
        code="unbalanced", when="the debits of an entry do not add up to the same as its credits", extra=ENTRY_NUMBER
    ),
)
ENTRIES_IN_TURN = (
    "`duplicate_account` comes first; then the entries are checked in turn, and the first faulty one decides, with "
    "`unknown_account` before `unbalanced` within one entry"
)
THEN_THE_OTHERS = f"{ENTRIES_IN_TURN}; then come the others, as listed"

BALANCES = OperationDoc(
    name="balances",
    summary="The balance of every account.",
    parameters=BOOKS,
    result='`{"balances": [{"account": string, "balance": integer}, ...], "by_type": {"asset": integer, "expense": '
    'integer, "liability": integer, "equity": integer, "income": integer}, "turnover": integer}`: the balance of '
    "each account in the order of `accounts`; the sum of the balances of each type, 0 for a type without accounts "
    "(all five keys are always there); and the sum of all debits.",
    errors=BOOK_ERRORS,
    error_order=ENTRIES_IN_TURN,
)

LEDGER = OperationDoc(
    name="ledger",
    summary="The lines of one account with its running balance.",
    parameters=(*BOOKS, Param(name="account", type="string, 1 to 40 code points", text="the account to show")),
    result='`{"lines": [{"entry": integer, "amount": integer, "balance": integer}, ...], "balance": integer}`: each '
    "line of the account in the order of the entries and of the lines in them, with the number of its entry, the "
    "amount it adds to the balance (negative if it is not on the normal side), and the balance after it; and the "
    "final balance.",
    errors=(*BOOK_ERRORS, ErrorDoc(code="no_such_account", when="`account` is not in `accounts`")),
    error_order=THEN_THE_OTHERS,
)

CLOSE = OperationDoc(
    name="close",
    summary="The entry that closes the period: it brings all income and expense accounts to zero.",
    parameters=(
        *BOOKS,
        Param(name="into", type="string, 1 to 40 code points", text="the equity account that takes the result"),
    ),
    result='`{"net_income": integer, "lines": [{"account": string, "side": string, "amount": integer}, ...], '
    '"equity": integer}`: the balances of all income accounts minus those of all expense accounts; the lines of the '
    "closing entry; and the balance of `into` once that entry is posted.",
    errors=(
        *BOOK_ERRORS,
        ErrorDoc(code="no_such_account", when="`into` is not in `accounts`"),
        ErrorDoc(code="not_equity", when="`into` is not of type `equity`"),
    ),
    error_order=THEN_THE_OTHERS,
    rules=(
        "The closing entry has one line for each `income` or `expense` account whose balance is not 0, on the side "
        "that brings the balance to 0, ordered by the name of the account; then one line for `into` with the net "
        "income, credited if positive, debited if negative. There is no line for an amount of 0; without any balance "
        "to close `lines` is `[]`. Amounts are positive.",
    ),
)

ACCOUNTS = (
    ("cash", "asset"),
    ("Bank", "asset"),
    ("stock", "asset"),
    ("loan", "liability"),
    ("tax due", "liability"),
    ("capital", "equity"),
    ("retained", "equity"),
    ("sales", "income"),
    ("Zinsen", "income"),
    ("rent", "expense"),
    ("wages", "expense"),
    ("büro", "expense"),
)


def generate(rng: Random) -> Input:
    """One input of a random operation on random books that balance, mostly."""
    op = rng.choice(("balances", "ledger", "close"))
    chosen = rng.sample(ACCOUNTS, rng.randint(5, 10))
    names = [name for name, _ in chosen]
    args: dict[str, Any] = {
        "accounts": [{"name": name, "type": kind} for name, kind in chosen],
        "entries": [_entry(rng, names) for _ in range(rng.randint(1, 8))],
    }
    if rng.random() < 0.04:
        rng.choice(args["entries"])["lines"][0]["amount"] += 1
    if rng.random() < 0.03:
        rng.choice(args["entries"])["lines"][1]["account"] = "petty cash"
    if op == "ledger":
        args["account"] = rng.choice(names)
    if op == "close":
        equity = [name for name, kind in chosen if kind == "equity"]
        args["into"] = rng.choice(equity or names)
    return op, args


def _entry(rng: Random, names: list[str]) -> dict[str, Any]:
    """One side with one line, the other with one to three that add up to it."""
    parts = [rng.randint(1, rng.choice((9, 500, 100000))) for _ in range(rng.randint(1, 3))]
    sides = rng.sample(("debit", "credit"), 2)
    lines = [_line(rng.choice(names), sides[0], sum(parts))]
    lines += [_line(rng.choice(names), sides[1], part) for part in parts]
    return {"lines": rng.sample(lines, len(lines))}


def _line(account: str, side: str, amount: int) -> dict[str, Any]:
    return {"account": account, "side": side, "amount": amount}


TYPES = {"A": "asset", "X": "expense", "L": "liability", "E": "equity", "I": "income"}
SIDES = {"+": "debit", "-": "credit"}


def _args(accounts: str, *entries: str, **more: Any) -> dict[str, Any]:
    """Arguments from short texts: accounts `cash:A`, an entry `cash+5 sales-5` (+ debits, - credits)."""
    pairs = [text.split(":") for text in accounts.split()]
    return {
        "accounts": [{"name": name, "type": TYPES[kind]} for name, kind in pairs],
        "entries": [{"lines": [_short(text) for text in entry.split()]} for entry in entries],
        **more,
    }


def _short(text: str) -> dict[str, Any]:
    sign = "+" if "+" in text else "-"
    account, amount = text.split(sign)
    return _line(account, SIDES[sign], int(amount))


ALL = "cash:A rent:X loan:L capital:E sales:I"
FULL = (
    "cash+1000 capital-1000",
    "cash+500 loan-500",
    "rent+300 cash-300",
    "cash+700 sales-700",
    "sales+50 cash-50",
    "loan+600 cash-600",
)
HUGE = " ".join(["cash+1000000000000"] * 5 + ["loan-1000000000000"] * 5)

WIDE = wide(40)

BOUNDARY: tuple[Input, ...] = (
    ("ledger", _args("cash:A sales:I", "cash+500 sales-500", "cash-20 sales+30", account="cash")),
    ("balances", _args("a:A a:X", "a+1 b-2")),
    ("balances", _args("a:A b:L", "a+1 b-1", "a+1 c-2")),
    ("balances", _args("a:A b:L", "a+1 b-2", "a+1 c-1")),
    ("balances", _args("a:A b:L", "a+1 a+2")),
    ("balances", _args("a:A")),
    ("balances", _args(ALL, *FULL)),
    ("balances", _args(" ".join(f"a{i}:A" for i in range(20)), "a19+7 a0-7", "a19+1 a10-1")),
    ("balances", _args("z:I m:X a:A M:L é:E", "z+9 a-9", "m-4 M+4", "é+2 é-1 é-1")),
    ("balances", _args("cash:A loan:L", *[HUGE] * 30)),
    ("balances", _args("a:A b:A c:L", "a+3 b-3", "b+10 c-10", "c+1 a-1")),
    (
        "balances",
        {
            "accounts": [{"name": "n" * 40, "type": "equity"}],
            "entries": [_args("", f"{'n' * 40}+1 {'n' * 40}-1")["entries"][0]],
        },
    ),
    ("balances", _args(f"{WIDE}:A b:L", f"{WIDE}+1 b-1")),
    ("ledger", _args(f"{WIDE}:A b:L", f"{WIDE}+1 b-1", account=WIDE)),
    ("close", _args(f"{WIDE}:E b:I", f"b+1 {WIDE}-1", into=WIDE)),
    ("ledger", _args("a:A a:A", account="a")),
    ("ledger", _args("a:A b:A", "b+1 d-1", "a+1 b-2", account="z")),
    ("ledger", _args("a:A b:A", "a+1 b-2", "b+1 d-1", account="z")),
    ("ledger", _args("a:A b:A", "a+1 b-1", account="c")),
    ("ledger", _args("a:A b:A", "a+1 b-1", account="B")),
    ("ledger", _args("a:A b:A", account="b")),
    ("ledger", _args("a:A b:L c:X", "a+1 c-1", "c+2 b-2", account="b")),
    ("ledger", _args("a:A b:L", "a+5 b-2 b-3 b+4 b-4", "b+7 a-7", account="b")),
    ("ledger", _args(ALL, *FULL, account="cash")),
    ("ledger", _args(ALL, *FULL, account="sales")),
    ("ledger", _args(ALL, *FULL, account="capital")),
    ("ledger", _args(ALL, *FULL, account="rent")),
    ("close", _args("e:E e:E", into="e")),
    ("close", _args("e:E a:A", "e+1 x-1", into="a")),
    ("close", _args("e:E a:A", "e+1 a-2", into="a")),
    ("close", _args("e:E a:A", "e+1 a-1", into="b")),
    *(("close", _args(f"e:E o:{kind}", "e+1 o-1", into="o")) for kind in "AXLI"),
    ("close", _args("e:E f:E a:A", "e+5 a-3 f-2", into="f")),
    ("close", _args(ALL, *FULL, into="capital")),
    ("close", _args(ALL, "rent+300 cash-300", into="capital")),
    ("close", _args("zinc:X i:I Art:X é:I e:E a:A", "zinc+4 a-4", "a+9 i-9", "Art+2 a-2", "a+6 é-6", into="e")),
    ("close", _args("i:I x:X e:E", "x+5 i-5", into="e")),
    ("close", _args("i:I x:X e:E a:A", "i+5 a-5", "a+3 x-3", into="e")),
    ("close", _args("i:I x:X e:E a:A", "i+5 a-5", "a+5 i-5", "x+1 a-1", "e+7 a-7", into="e")),
)

GOOD = _args("a:A e:E", "a+1 e-1")
LINES = GOOD["entries"][0]["lines"]


def _bad_line(**changes: Any) -> dict[str, Any]:
    """Books with one line of which fields are changed; a field changed to "gone" is taken away."""
    line = {key: value for key, value in {**LINES[1], **changes}.items() if value != "gone"}
    return {**GOOD, "entries": [*GOOD["entries"], {"lines": [LINES[0], line]}]}


MALFORMED: tuple[Input, ...] = (
    ("balances", {"entries": []}),
    ("balances", {"accounts": GOOD["accounts"]}),
    ("balances", {**GOOD, "accounts": []}),
    ("balances", {**GOOD, "accounts": {"a": "asset"}}),
    ("balances", {**GOOD, "accounts": ["a"]}),
    ("balances", {**GOOD, "accounts": [{"name": "a"}]}),
    ("balances", {**GOOD, "accounts": [{"type": "asset"}]}),
    ("balances", {**GOOD, "accounts": [{"name": "a", "type": "Asset"}]}),
    ("balances", {**GOOD, "accounts": [{"name": "", "type": "asset"}]}),
    ("balances", {**GOOD, "accounts": [{"name": "n" * 41, "type": "asset"}]}),
    ("balances", {**GOOD, "accounts": [{"name": str(i), "type": "asset"} for i in range(21)]}),
    ("balances", {**GOOD, "entries": GOOD["entries"] * 31}),
    ("balances", {**GOOD, "entries": [LINES]}),
    ("balances", {**GOOD, "entries": [{}]}),
    ("balances", {**GOOD, "entries": [{"lines": LINES[:1]}]}),
    ("balances", {**GOOD, "entries": [{"lines": [LINES[0]] * 11}]}),
    ("balances", {**GOOD, "entries": [{"lines": [LINES[0], "a+1"]}]}),
    ("balances", _bad_line(account="gone")),
    ("balances", _bad_line(side="gone")),
    ("balances", _bad_line(amount="gone")),
    ("balances", _bad_line(account=5)),
    ("balances", _bad_line(account="")),
    ("balances", _bad_line(account=wide(41))),
    ("balances", {**GOOD, "accounts": [{"name": wide(41), "type": "asset"}]}),
    (
        "balances",
        {**GOOD, "entries": [{"lines": [LINES[0], LINES[0]]}, {"lines": [LINES[0], {**LINES[1], "side": ""}]}]},
    ),
    ("balances", {"accounts": GOOD["accounts"] * 2, "entries": [{"lines": LINES * 6}]}),
    ("balances", _bad_line(side="dr")),
    ("balances", _bad_line(side=None)),
    ("balances", _bad_line(amount=0)),
    ("balances", _bad_line(amount=-1)),
    ("balances", _bad_line(amount=True)),
    ("balances", _bad_line(amount=1.0)),
    ("balances", _bad_line(amount="1")),
    ("balances", _bad_line(amount=10**12 + 1)),
    ("ledger", GOOD),
    ("ledger", {**GOOD, "account": None}),
    ("ledger", {**GOOD, "account": ""}),
    ("ledger", {**_bad_line(amount=None), "account": "z"}),
    ("close", GOOD),
    ("close", {**GOOD, "into": ["e"]}),
    ("close", {**GOOD, "into": "n" * 41}),
    ("close", {"accounts": GOOD["accounts"], "into": "e"}),
)

FAMILY = Family(
    number=43,
    slug="double-entry",
    category="ledgers",
    title="Double-entry ledger",
    purpose="Keeps books by double entry: checks that entries balance, and gives the balances, the running ledger of "
    "an account, and the entry that closes a period.",
    notes=NOTES,
    operations=(BALANCES, LEDGER, CLOSE),
    program=program,
    # sales: credits 900, debits 100 -> balance 800. wages: debits 650 -> 650. fees: 40 debited, 40 credited -> 0, no line. Net
    # income 800 - 650 = 150. To bring sales to zero it is debited 800; wages is credited 650; capital takes the 150 as a
    # credit: debits 800 = credits 650 + 150. capital had 1000 credited: 1150.
    golden=Case(
        op="close",
        args=_args(
            "cash:A capital:E wages:X sales:I fees:X",
            "cash+1000 capital-1000",
            "cash+900 sales-900",
            "wages+650 fees+40 cash-690",
            "sales+100 cash-60 fees-40",
            into="capital",
        ),
        expected={
            "net_income": 150,
            "lines": [
                {"account": "sales", "side": "debit", "amount": 800},
                {"account": "wages", "side": "credit", "amount": 650},
                {"account": "capital", "side": "credit", "amount": 150},
            ],
            "equity": 1150,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
