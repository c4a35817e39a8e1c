"""Contract, inputs and the golden case of the family `ini-parse`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import ini_parse as program

__all__ = ["FAMILY"]

NOTES = (
    "**Lines.** A line ends at a line feed, with or without one carriage return directly before it, or at the end of the "
    "text; any other carriage return is an ordinary character. Lines are numbered from 1, all of them. A *blank* is a space "
    "or a tab. Blanks at the end of a line never matter. What else a line is, in this order:",
    "(1) Nothing but blanks, or the first character that is no blank is `;` or `#`: the line is ignored.",
    "(2) It begins with a blank: a *continuation* of the entry before it, of which only ignored lines and other "
    "continuations "
    "may separate it. A line feed and the text of the line, trimmed as below, are appended to the value, also to "
    "an empty or quoted one; quotes in it mean nothing. Without such an entry (at the beginning, or after a header) "
    "it is a bad "
    "line.",
    "(3) It begins with `[`: a *header*: a name, then `]`, then perhaps blanks, then perhaps a `;` or `#` with any "
    "text after it. "
    "The name is what is between the brackets without blanks around it; it must not be empty nor contain `[` or `]`. "
    "Anything "
    "else is a bad line.",
    "(4) An *entry*: a key, the first `=` or `:` in the line, and a value. The key is what is before that character, without "
    "blanks at its end, in lower case (Python's `str.lower()`); it must not be empty. A value whose first character "
    "other than blanks "
    'is `"` is quoted: in it a `\\` and the character after it are a pair that stands for that character, whichever it is '
    '(`\\n` is `n`, `\\\\` is `\\`), and it ends at the first `"` that is not part of a pair. After the closing quote '
    "only blanks, and then perhaps a `;` or `#` with any text after it, may follow, or it is "
    "a bad line. "
    "Any other value is what is after the separator, trimmed; it may be empty. A line without `=` and `:` is a bad line.",
    "**Trimming.** From the first `;` or `#` that has a blank directly before it, everything is cut off, as a comment; then "
    "blanks at both ends are removed. `a=x;y ; z` has the value `x;y`, `a= ;x` an empty one, `a=;x` the value `;x`.",
    "**Sections.** An entry belongs to the section of the last header before it; a header with the name of an earlier "
    "section "
    "goes on with that section. Entries before the first header belong to the section with the empty name, the *global* one. "
    "Names of sections are compared exactly, keys in lower case. A key that is repeated in a section gets the new value, "
    "and keeps its place; continuations then belong to the new value.",
)

TEXT = Param(name="text", type="string, 0 to 1500 code points", text="the INI text")
BAD_LINE = ErrorDoc(
    code="bad_line",
    when="a line is bad as defined above",
    extra=(("line", "integer: the number of the first such line"),),
)
ENTRY = (
    ("section", "string: the section the entry stands in, empty for the global one"),
    ("key", "string: its key, in lower case"),
)

PARSE = OperationDoc(
    name="parse",
    summary="All sections and entries of a text.",
    parameters=(TEXT,),
    result='`{"sections": [{"name": string, "entries": [[string, string], ...]}, ...]}`: each section with its entries as '
    "`[key, value]`.",
    errors=(BAD_LINE,),
    rules=(
        "The global section comes first, and only if it has an entry. The others follow in the order of their first "
        "headers, also "
        "those without entries. Entries are in the order in which their keys first occur in the section.",
        "References are left as they are.",
    ),
)

RESOLVE = OperationDoc(
    name="resolve",
    summary="The value of one entry, with the references in it resolved.",
    parameters=(
        TEXT,
        Param(name="section", type="string, 0 to 50 code points", text="the section; empty for the global one"),
        Param(name="key", type="string, 0 to 50 code points", text="the key, which is put into lower case"),
    ),
    result='`{"value": string}`.',
    errors=(
        BAD_LINE,
        ErrorDoc(
            code="unknown_key",
            when="neither the section nor the global section has the key",
            extra=(
                ("section", "string: the section that was looked in first, as asked for"),
                ("key", "string: the key, in lower case"),
            ),
        ),
        ErrorDoc(
            code="cycle",
            when="an entry is needed for its own value",
            extra=ENTRY,
        ),
        ErrorDoc(code="bad_reference", when="a `${` has no `}` after it in the value of an entry", extra=ENTRY),
        ErrorDoc(
            code="too_long",
            when="the resolved value of an entry, when it is complete, has more than 1000 code points",
            extra=ENTRY,
        ),
    ),
    error_order="`bad_line` comes first; of the others the first that is met decides, when values are resolved from left "
    "to right and each reference completely before the text after it",
    rules=(
        "A key is looked up in the section asked for; if that section does not have it, or does not exist, in the "
        "global one.",
        "In a value, from left to right: `$$` stands for `$`. `${` begins a reference, which ends at the next `}`; "
        "any other `$` "
        "is an ordinary character. If there is a `:` in the reference, what is before the first `:` is a section and what is "
        "after it a key; otherwise all of it is a key, and the section is the one in which the entry with this value stands. "
        "Blanks around section and key are removed, and the key is put into lower case. The reference is replaced by "
        "the value of "
        "that key, looked up in the same way and itself resolved; what has been put in is not searched for references "
        "again. `${}` is a reference with an empty key, which no section has.",
        "This holds for all values, also quoted ones and those with continuations; a reference may contain a line "
        "feed. One value "
        "may be needed in very many places (a hundred references can ask for it 2^50 times): resolve no entry twice.",
        "`cycle` is met when an entry is needed while its own value is being resolved, and names that entry: with `a "
        "= ${b}`, `b = "
        "${c}`, `c = ${b}` "
        "and `a` asked for, the error names `b`.",
    ),
)

KEYS = ("host", "Port", "path", "user name", "url", "Ünit", "x.y", "mode")
NAMES = ("server", "Server", "client a", "db.main", "é", "x")
VALUES = (
    "",
    "80",
    "a b",
    "x;y",
    "x ; note",
    "x # note",
    '"quoted ; # text"',
    '"say \\"hi\\""',
    "a=b:c",
    "$$5",
    "$",
    '"" ; e',
)


def generate(rng: Random) -> Input:
    """One input of a random operation on a random text; a few texts have a fault."""
    keys, names = rng.sample(KEYS, 5), rng.sample(NAMES, 3)
    lines = [f"{key} = {rng.choice(VALUES)}" for key in keys if rng.random() < 0.9]
    for _ in range(rng.randint(5, 14)):
        kind = rng.random()
        if kind < 0.2:
            lines.append(rng.choice(("[{}]", "[{}]", "[ {}\t]", "[{}] ; section")).format(rng.choice(names)))
        elif kind < 0.3:
            lines.append(rng.choice(("", "; comment", "  # x = 1", " \t")))
        else:
            key = rng.choice(keys)
            separator = rng.choice(("=", " = ", ": ", " :", "\t=\t"))
            lines.append(rng.choice((key, key, key.upper())) + separator + _value(rng, keys, names))
            if rng.random() < 0.15:
                lines.append(rng.choice(("  more", "\tmore ; cut", '  "quoted"', " k = v", " [x]")))
    if rng.random() < 0.04:
        lines.insert(rng.randint(0, len(lines)), rng.choice(("no separator", "[]", "= x", "[a", 'k = "open')))
    text = rng.choice(("\n", "\n", "\r\n")).join(lines) + rng.choice(("", "\n"))
    if rng.random() < 0.4:
        return "parse", {"text": text}
    return "resolve", {"text": text, "section": rng.choice((*names, "")), "key": rng.choice(keys[:3])}


def _value(rng: Random, keys: list[str], names: list[str]) -> str:
    if rng.random() < 0.6:
        return rng.choice(VALUES)
    key = rng.choice(keys[3:] if rng.random() < 0.8 else keys)
    return rng.choice(("${{{k}}}", "<${{{k}}}>", "${{ {n} : {k} }}/${{{k}}}", "${{{n}:{k}}}", '"${{{k}}} ;"')).format(
        k=rng.choice((key, key.upper())), n=rng.choice(names)
    )


def _parse(*lines: str) -> Input:
    return "parse", {"text": "\n".join(lines)}


def _resolve(*lines: str, at: str = ":a") -> Input:
    """Look up `section:key`; the last colon separates the two."""
    section, _, key = at.rpartition(":")
    return "resolve", {"text": "\n".join(lines), "section": section, "key": key}


PATHS = ("root = /srv", "[a]", "Home = ${root}/a", "log = ${b:log}", "[b]", "root = /var", "log=${root}/log:${ A : x }")
BOMBS = ("a=${b}${b}", "b=${c}${c}", "c=${d}${d}", "d=${e}${e}", "e=${f}${f}")

BOUNDARY: tuple[Input, ...] = (
    _resolve(
        "scheme = http", "[site]", "URL = ${scheme}://${Host}:${port} ; all", "host = ${ dns : name }", at="site:url"
    ),
    _parse(),
    _parse("", " ", "\t;x", "#[a]", "; b = c"),
    _parse("a=1", "b:2", "c = = 3", "d : = 4", "e=: 5", "f g\t= 6 7", "H=8", "é=9", "ÀB=1"),
    _parse(
        "a=", "b:", "c = ", "d = ;x", "e =;x", "f = #", "g=#", "h=\t# x", "i= a;b #c ;d", "j=a ;", "k=a#", "l=;;  ;"
    ),
    _parse("a#b = 1", "a;b = 2", "a ;c = 3", 'q"k" = 4', "]x = 5", "${y} = 6", "a b : c = d"),
    _parse("[s]", "[ t ]", "[\tu v\t] ; c = d", "[w];x", "[x]#", "[;]", "[#a=b]", "[=] ", "[é]   # [z]", "[$]"),
    *(
        _parse(line)
        for line in ("[]", "[ ]", "[a", "[a]]", "[[a]]", "[a[b]", "[a] b", "[a] = 1", "[a]=1 ;", "[ a ] [b]", "[")
    ),
    *(
        _parse("[a]", "", line)
        for line in ("x", "x]", "= 1", " = 1", ": x", "x y", "]", "\r", "\u00a0", '"a"', " x", "\tx = 1")
    ),
    _parse("ok=1", "bad", "[", " c"),
    _parse(" a = 1"),
    _parse("# c", " a = 1"),
    _parse("a = 1", "[s]", " x"),
    _parse("a = 1", " two", "", "; no", "\tthree ; no", "   # no", " [four]", " k=v", '  "five" ', "b=2", " x#y #z"),
    _parse("a =", " x", "b = ; c", " ;d", " y", 'c = "q" ; r', " s", "d=1", " \t ", "e=2"),
    _parse("a = 1", "A = 2", "b = 3", " more", "a=4", " five", "B:", " six", "[s]", "a=0"),
    _parse("a=1", "[s]", "a=2", "b=3", "[t]", "[S]", "a=4", "[s]", "c=5", "A=6", "[ t ]", "k=7"),
    _parse("[only]", "[two]", "[only]"),
    _parse("[z]", "k=1", "[a]", "k=2", "z=0", "b=0"),
    _parse('a=""', 'b = " x ; y # z " ; c', 'c="say \\"hi\\" \\\\ \\n \\é"#x', 'd = "a"\t', 'e:"=:[]"', "f = 'q ; r'"),
    _parse('a = x "y" z', 'b = \\"x"', 'c = "\\\\"', 'd = "\\\\\\""', 'e=\t"t"', 'f = "a\\;b" ; "', 'g="a" ;"'),
    *(
        _parse(f"k = {value}")
        for value in ('"', '"a', '"a" b', '"a"b', '"a\\"', '"a" "b"', '"\\', '"a\\\\" x', '""" ', '"a" =')
    ),
    _parse("a=1\r", "b=2 \r", "[s]\r", " \r", "c=\r", " d\r", ""),
    _parse("a=1\r2", "b=\r3", "c=4\r\r", "d=5\u20286", "\u2028e=7", "f=\u00a08\u00a0", "\u00a0g=9"),
    _parse("a=1\r"),
    _parse("a=${b} $$ ${", "b=${a}"),
    _parse("İ=1", "i\u0307=2", "ẞ=3", "ß=4", "Σ=5", "ΑΣ=6"),
    ("parse", {"text": "a=" + wide(1498)}),
    ("parse", {"text": wide(1500)}),
    *(
        _resolve(*PATHS, at=at)
        for at in ("a:home", "a:LOG", "b:root", "b:home", "zz:root", ":root", ":home", "A:hOmE", "b:log")
    ),
    _resolve("a=1", "a=2", at=":a"),
    _resolve("a=1", at=":A"),
    _resolve("a=1", at=":"),
    _resolve("a=1", at=": a"),
    _resolve("[ s ]", "a=1", at=" s :a"),
    _resolve("a=1", "oops", at=":b"),
    _resolve("a = $$ $ $x $$x $$$$ $${a} $$$ $}", at=":a"),
    _resolve("a = $$${b}$", "b=x", at=":a"),
    _resolve("a = ${b}", "b = $${c}", "c = no", at=":a"),
    _resolve("a = ${b}{c}", "b = $$", "c = no", at=":a"),
    _resolve("a = ${ B\t}|${:b}|${ : b }|${s:b}|${ s:C }|${b:}", "b=1", "[s]", "c=2", "[b]", '"x"=1', at=":a"),
    _resolve("a = <${s:k}>", "x=G", "[s]", "k=(${x}${y})", "x=L", "[t]", "y=T", at="t:a"),
    _resolve("a = <${s:k}>", "x=G", "y=Y", "[s]", "k=(${x}${y}${t:x}${u:y})", "x=L", "[t]", "y=T", at="t:a"),
    _resolve("[s]", "a = ${s:t:u}", "t:u = 1", "[s:t]", "u=2", at="s:a"),
    _resolve('a = " ${b} ; ${c} "', "b = 1", " two", "c = ${b} # x", at=":a"),
    _resolve("a = ${b", " }", "b = ok", at=":a"),
    _resolve("a = ${s", " :b}", "b = ok", at=":a"),
    *(
        _resolve(f"a = {value}", "b=1", at=":a")
        for value in ("${", "x ${b", "${b}${", "$${ ${c}", "${}", "${c}${", "${$${b}")
    ),
    _resolve("a = ${s:x}", "[s]", "x = ${b", at=":a"),
    _resolve("a = ${a}", at="s:a"),
    _resolve("a = ${b}", "b = ${c}", "c = ${B}", at=":a"),
    _resolve("[s]", "a = ${t:a}", "[t]", "a = ${s:a}", at="s:a"),
    _resolve("a = x", "[s]", "a = ${:a}", at="s:a"),
    _resolve("a = ${s:b}", "[s]", "b = ${a}", at=":a"),
    _resolve("a = ${s:b}", "[s]", "b = ${a}", at="s:b"),
    _resolve("a = ${b}${b}-${c}", "b = ${c}", "c = 1", at=":a"),
    _resolve("a = ${b} ${c} ${", "b = ${d}", "c = ${c}", at=":a"),
    _resolve("a = ${c} ${d} ${", "c = ${c}", at=":a"),
    _resolve("a = ${s:q}", "[s]", "z = 1", at="s:a"),
    _resolve("a = ${ s : Q }", "[s]", "z = 1", at="s:a"),
    _resolve(*(f"k{n}=${{k{n + 1}}}." for n in range(40)), "k40=end", at=":k0"),
    _resolve(*BOMBS, "f=" + "x" * 31, at=":a"),
    _resolve(*BOMBS, "f=" + "x" * 32, at=":a"),
    _resolve(*BOMBS, "f=" + "x" * 63, at=":a"),
    _resolve(*(f"a{n}=${{a{n + 1}}}${{a{n + 1}}}" for n in range(60)), "a60=", at=":a0"),
    _resolve("a=" + "x" * 1000, at=":a"),
    _resolve("a=" + "x" * 1001, at=":a"),
    _resolve("a=" + "$$" * 700, at=":a"),
    _resolve("a=${b}${", "b=" + "é" * 1001, at=":a"),
    _resolve(f"[{wide(50)}]", f"{wide(50)} = 1", at=f"{wide(50)}:{wide(50)}"),
    ("resolve", {"text": "a = " + wide(1496), "section": "", "key": "a"}),
)

GOOD: dict[str, Any] = {"text": "a=1", "section": "", "key": "a"}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    return [(op, {**GOOD, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("parse", {}),
    *_spoilt("parse", "text", None, 1, ["a=1"], {"a": "1"}, False, "a" * 1501, wide(1501)),
    *(("resolve", {key: value for key, value in GOOD.items() if key != name}) for name in GOOD),
    *_spoilt("resolve", "text", None, 0, [], wide(1501)),
    *_spoilt("resolve", "section", None, 1, [""], "s" * 51, wide(51)),
    *_spoilt("resolve", "key", None, True, {}, "k" * 51, wide(51)),
    ("resolve", {"text": "[", "section": "", "key": None}),
)

FAMILY = Family(
    number=55,
    slug="ini-parse",
    category="parsing",
    title="INI parsing",
    purpose="Reads configuration texts with sections, comments, quoted values and continued lines, and resolves "
    "references from one value to another.",
    notes=NOTES,
    operations=(PARSE, RESOLVE),
    program=program,
    # `MODE` is global. [web]: `port`, its comment cut off because of the blank before `#`; `title` is quoted, `\"`
    # is `"`; ` ; no` is after the closing quote. The line `  and more` continues title. [web] again: `Port` replaces
    # the value and keeps its place.
    golden=Case(
        op="parse",
        args={
            "text": 'MODE: a;b\n\n[web]\nport = 80 # old\ntitle = "A ; \\"B\\"" ; no\n  and more\n; x\n[empty]\n'
            "[ web ] # again\nPort=8080"
        },
        expected={
            "sections": [
                {"name": "", "entries": [["mode", "a;b"]]},
                {"name": "web", "entries": [["port", "8080"], ["title", 'A ; "B"\nand more']]},
                {"name": "empty", "entries": []},
            ]
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
