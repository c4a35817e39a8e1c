"""Contract, inputs and the golden case of the family `template-render`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import template_render as program

__all__ = ["FAMILY"]

NOTES = (
    "A **tag** begins with `{{` and ends with the first `}}` after that; it may hold line feeds. A template is read "
    "from "
    "the left, and after a tag reading goes on behind its `}}`. All other text, a `}}` without a tag and a single `{` "
    "or `}` too, is plain and is put out as it is.",
    "By what stands between `{{` and `}}` there are these tags, where a **name** is one or more of the ASCII "
    "letters, digits "
    "and `_`; the sign must come directly after `{{`; spaces (U+0020, no other white space) may stand before and "
    "after a "
    "name, a `|` or a filter:\n"
    "    - `{{name}}`, `{{name|filter|...}}`: puts out a value, changed by the filters from left to right. Filters are "
    "`upper` and `lower` (Python's `str.upper()` and `str.lower()`), `trim` (Python's `str.strip()`) and `html` "
    "(`&`, `<`, `>`, `\"`, `'` become `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&#x27;`).\n"
    "    - `{{#name}}`: opens a section, `{{^name}}` an inverted section. `{{/name}}`: closes the innermost open "
    "section, "
    "which must have the same name.\n"
    "    - `{{!anything}}`: a comment, which puts out nothing; what it holds does not matter.",
    "A tag with one of the signs `#`, `^`, `/`, `!` is **alone** if only spaces and tabs stand before it on the "
    "line where "
    "it begins, only spaces and tabs stand after it on the line where it ends, and that line ends in a line feed. "
    "Then these "
    "spaces and tabs and the line feed belong to the tag and are not put out. On a last line without a line feed no "
    "tag is "
    "alone, nor is one beside another tag.",
    "Positions count code points of the template from 0.",
)

FAULTS = (
    ErrorDoc(
        code="bad_tag",
        when="a `{{` has no `}}` after it, or what stands between them is no tag described above (an empty one, an unknown "
        "filter, a filter after a sign)",
        extra=(("at", "integer: the position of its `{{`"),),
    ),
    ErrorDoc(
        code="bad_section",
        when="`{{/name}}` stands where no section is open, or the innermost open one has another name; or a section is "
        "opened inside of three open ones; or a section is never closed",
        extra=(
            (
                "at",
                "integer: the position of the `{{` of that tag; for sections never closed that of the innermost one",
            ),
        ),
    ),
)
IN_TURN = (
    "the tags are checked from left to right, and the first faulty one decides; sections that are never closed are "
    "found "
    "after all tags"
)

TEMPLATE = Param(name="template", type="string, 0 to 400 code points", text="the template")

RENDER = OperationDoc(
    name="render",
    summary="The text of a template with values filled in.",
    parameters=(
        TEMPLATE,
        Param(
            name="values",
            type="object of 0 to 12 keys",
            text="the value of each name: a string of 0 to 40 code points; an integer, -1000000000000 to 1000000000000; or "
            "an array of 0 to 4 **rows**, each an object of 0 to 6 keys whose values are strings or integers as "
            "above. Keys "
            "are any strings (one that is no name is never used)",
        ),
    ),
    result='`{"text": string}`: the text.',
    rules=(
        "`{{name}}` puts out a string as it is, an integer in decimal (`-7`, `0`), and for an array the number of "
        "its rows.",
        'A value is **true** unless it is `0`, `""` or `[]`; a name without a value is not true. A section is put '
        "out "
        "once if the value of its name is a true string or integer, once for each row, in order, if it is an array, "
        "and "
        "else not at all. An inverted section is put out once if the value is not true, and else not at all.",
        "For a row, the keys of the row are names too, inside the section: they come before values of the same name "
        "outside, "
        "also in sections within that section. Strings and integers open no names.",
        "Values are never read as templates.",
    ),
    errors=(
        *FAULTS,
        ErrorDoc(
            code="unknown_name",
            when="a `{{name}}` that is to be put out has no value (in a section that is not put out this is no error)",
            extra=(("name", "string: the name"),),
        ),
    ),
    error_order=f"{IN_TURN}; `unknown_name` comes last, for the first tag that has no value in the order of the output",
)

NAMES = OperationDoc(
    name="names",
    summary="The names that a template uses.",
    parameters=(TEMPLATE,),
    result='`{"texts": [string, ...], "sections": [string, ...], "depth": integer}`: the names of tags for text; the names '
    "of sections, inverted or not; each name once, in the order of the first such tag. And how deep sections are "
    "nested: 0 "
    "without any, 1 if no section is within another.",
    errors=FAULTS,
    error_order=IN_TURN,
)

TEXTS = ("Ann", "", "é ü", "<b> & 'c'", ' "q" ', "straße", "0", "x\ny", "{{a}}", "  pad\t", "\U0001f600")
PLAIN = ("Dear ", ", ", "\n", "\n", "- ", "}}", "{ ", " ", "total: ", "é")
NAMES_USED = ("a", "b", "c_1", "N")
ROW_LISTS = ("rows", "Items")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    template = _template(rng, 0)
    fault = rng.random()
    if fault < 0.03:
        template += rng.choice(("{{", "{{#a}}", "{{/a}}", "{{a|cut}}", "{{ #a}}"))
    template = f"{template} {rng.randint(0, 10**9)}"
    if len(template) > 400:
        return generate(rng)
    if rng.random() < 0.25:
        return "names", {"template": template}
    values: dict[str, Any] = {name: _scalar(rng) for name in NAMES_USED if rng.random() < 0.96}
    for name in ROW_LISTS:
        few = rng.sample(("a", "b", "x"), 2)
        values[name] = [{key: _scalar(rng) for key in few} for _ in range(rng.randint(0, 3))]
    return "render", {"template": template, "values": values}


def _scalar(rng: Random) -> Any:
    return rng.choice((rng.choice(TEXTS), rng.choice(TEXTS), rng.randint(-99, 99), 0))


def _template(rng: Random, depth: int) -> str:
    """A template; sections may be in it while `depth` is less than 2."""
    made = ""
    for _ in range(rng.randint(2, 5 - depth)):
        gap = rng.choice(("", "", " "))
        name = rng.choice((*NAMES_USED, *NAMES_USED, *ROW_LISTS))
        if rng.random() < 0.45 and depth < 2:
            name = rng.choice((name, *ROW_LISTS))
            end = rng.choice(("", "\n", " \n"))
            made += f"{rng.choice(('', '  ', chr(10)))}{{{{{rng.choice('##^')}{gap}{name}}}}}{end}"
            made += f"{_template(rng, depth + 1)}{rng.choice(('', end))}{{{{/{name}{gap}}}}}{end}"
        elif rng.random() < 0.1:
            made += rng.choice(("{{! note }}", "{{!a\nb}}\n", "\n\t{{!}}\n"))
        else:
            filters = "".join(
                f"{gap}|{gap}{rng.choice(('upper', 'lower', 'trim', 'html'))}" for _ in range(rng.randint(0, 2))
            )
            made += f"{rng.choice(PLAIN)}{{{{{gap}{name}{filters}{gap}}}}}{rng.choice(PLAIN)}"
    return made


def _render(template: str, **values: Any) -> Input:
    return "render", {"template": template, "values": values}


def _names(template: str) -> Input:
    return "names", {"template": template}


LONG = wide(40)
DEEP = "{{#r}}{{#r}}{{#r}}{{a}}{{/r}}{{/r}}{{/r}}"

BOUNDARY: tuple[Input, ...] = (
    _render("{{#r}}\n{{x|upper}}, \n{{/r}}\n{{^r}}none{{/r}}{{ a }}", r=[{"x": "ab"}, {"x": 7}], a="end"),
    _render(""),
    _render("plain } {  }} text { {"),
    _render("{{a}}{{b}}", a="", b=0),
    _render("{{a}} {{b}} {{r}}", a=-7, b=10**12, r=[{}, {}]),
    _render("{{r}}", r=[]),
    _render("{{a|upper}}{{a | lower|upper}}{{  a|upper|lower  }}", a="Straße ÉÀ"),
    _render("[{{a|trim}}][{{a}}]", a=" \t\nx y\u00a0"),
    _render("{{a|html}}{{a|html|html}}{{a|upper|html}}", a='<b c="d">\'&'),
    _render("{{a}}", a="{{b}}<"),
    _render("{{b|upper}}", b=-5),
    _render("{{r|html}}", r=[{"x": "<"}]),
    _render("{{}}"),
    _render("{{ }}"),
    _render("x{{"),
    _render("é\U0001f600{{a}}{{a", a="é"),
    _render("{{a}} {{a b}}", a="é"),
    _render("{{a.b}}"),
    _render("{{{a}}}", a="x"),
    _render("{{a}}}", a="x"),
    _render("{{a\n}}", a="x"),
    _render("{{\ta}}", a="x"),
    _render("{{é}}"),
    _render("{{a|Upper}}", a="x"),
    _render("{{a|}}", a="x"),
    _render("{{a|upper lower}}", a="x"),
    _render("{{|upper}}", a="x"),
    _render("{{#a|upper}}{{/a}}", a="x"),
    _render("{{ #a}}{{/a}}", a="x"),
    _render("{{&a}}", a="x"),
    _render("{{# a }}{{^ b }}{{/ b}}{{/a  }}", a="x"),
    _render("{{0}}{{_}}{{A_9}}", **{"0": "zero", "_": "u", "A_9": 9, "a b": 1, "": 2}),
    _render("{{/a}}", a="x"),
    _render("{{a}}{{#a}}x{{/b}}", a="x"),
    _render("{{#a}}{{#b}}{{/a}}{{/b}}", a="x", b="y"),
    _render(" {{#a}} \n {{^b}}{{/b}} {{^b}}x", a="x"),
    _render("{{#a}}{{/a}}\n\n  {{#a}}\n", a="x"),
    _render("x\n  {{/a}}\n{{"),
    _render("{{#a}}{{b|}}", a="x"),
    _render("{{c}}{{#a}}", a="x"),
    _render("{{#r}}{{#r}}{{#r}}{{#r}}{{/r}}{{/r}}{{/r}}{{/r}}", r=[]),
    _render("{{^a}}{{^a}}{{^a}}-{{#a}}{{/a}}{{/a}}{{/a}}{{/a}}"),
    _render(DEEP, r=[{"a": 1}, {"a": 2}]),
    _render("{{#r}}<{{a}}{{#s}}{{a}}{{b}}{{/s}}{{b}}>{{/r}}{{a}}", a="A", b="B", r=[{"a": 1}, {"b": 2}], s=[{"a": 3}]),
    _render("{{#r}}{{#a}}{{b}}{{/a}}{{^a}}-{{/a}}{{/r}}", a="A", b="B", r=[{"a": 0}, {"a": 5}, {"a": ""}, {"b": 1}]),
    _render("{{#r}}{{r}}{{/r}}{{r}}", r=[{"r": "x"}, {}]),
    _render("{{#a}}1{{/a}}{{^a}}2{{/a}}{{#b}}3{{/b}}{{^b}}4{{/b}}", a=0, b=""),
    _render("{{#a}}1{{/a}}{{^a}}2{{/a}}{{#b}}3{{/b}}{{^b}}4{{/b}}", a=-1, b="0"),
    _render("{{#c}}1{{/c}}{{^c}}2{{/c}}{{#r}}3{{/r}}{{^r}}4{{/r}}", r=[]),
    _render("{{#r}}1{{/r}}{{^r}}2{{/r}}", r=[{}]),
    _render("{{#b}}{{nope}}{{/b}}{{^a}}{{nope}}{{/a}}ok", a=1),
    _render("{{a}}{{c}}{{b}}", a=1),
    _render("{{#r}}{{x}}{{/r}}", r=[{"x": 1}, {"a": 1}]),
    _render("{{#r}}{{x}}{{/r}}{{x}}", r=[{"x": 1}]),
    _render("{{a}}{{A}}", a=1),
    _render("a\n{{#a}}\nb\n{{/a}}\nc", a=1),
    _render("a\n \t{{#a}}\t \nb\n  {{^a}}\n{{/a}} \n{{/a}}", a=1),
    _render("{{#a}}\n\n  b\n\n{{/a}}\n\n", a=1),
    _render("x {{#a}}\ny\n{{/a}} z\n", a=1),
    _render("  {{#a}}{{/a}}  \n{{a}}\n  {{a}}  \n", a=1),
    _render("{{!x}}\n{{! y\n z }} \n  {{!}}{{!}}\n{{!#a|}}.\n {{!q}}", a=1),
    _render("x\n  {{! {{ }} \ny{{!\n}}\nz"),
    _render("{{#a}}\r\n{{/a}}\r\n\u00a0{{!x}}\n", a=1),
    _render("{{#a}} {{/a}}\n  {{#a}}\n  x\n  {{/a}}  ", a=1),
    _render(wide(400)),
    _render(LONG[:36] + "{{a}}{{b}}{{x}}{{c}}{{A}}", a=LONG, b=LONG, x=LONG, c=LONG, A=LONG),
    _render(
        "{{#r}}{{a}}{{b}}{{x}}{{/r}}", r=[{"a": LONG, "b": LONG, "x": LONG, "r": LONG}], s=[{"a": LONG}], a="z" * 40
    ),
    _render(
        "{{0}}{{_}}",
        **{"0": LONG, "_": LONG, "A_9": LONG, "": LONG, "c": LONG, **{f"k{i}": -(10**12) for i in range(7)}},
    ),
    _render(
        "{{#r}}{{#r}}{{#r}}" + "{{a|upper}}" * 30 + "{{/r}}{{/r}}{{/r}}",
        r=[{"a": i, "b": 0, "c": 1, "d": 2, "e": 3, "f": 4} for i in range(4)],
    ),
    _names(""),
    _names("no tags }} {"),
    _names("{{b}}{{#a}}{{b}}{{A}}{{/a}}{{^c}}{{#a}}{{a}}{{/a}}{{/c}}{{!d}}"),
    _names("{{^a}}{{^b}}{{/b}}{{/a}}{{#b}}{{/b}}{{ z|html }}"),
    _names(DEEP),
    _names("{{#a}}x{{/a}}"),
    _names("{{a}}{{ #a}}"),
    _names("{{a}}{{#b}}{{^c}}"),
    _names("\n {{#b}}\n{{/c}}{{"),
    _names(wide(400)),
    _names(wide(390) + "{{a}}{{bb}}"[:10]),
)

GOOD = {"template": "{{a}}", "values": {"a": "x"}}


def _bad(**values: Any) -> Input:
    return "render", {"template": "{{", "values": values}


MALFORMED: tuple[Input, ...] = (
    ("render", {"template": "a"}),
    ("render", {"values": {}}),
    ("render", {**GOOD, "template": None}),
    ("render", {**GOOD, "template": ["{{a}}"]}),
    ("render", {**GOOD, "template": "{{" + "a" * 399}),
    ("render", {**GOOD, "template": wide(401)}),
    ("render", {**GOOD, "values": [["a", "x"]]}),
    ("render", {**GOOD, "values": None}),
    _bad(**{f"a{i}": 1 for i in range(13)}),
    _bad(a=None),
    _bad(a=True),
    _bad(a=1.0),
    _bad(a={"b": 1}),
    _bad(a="x" * 41),
    _bad(b=1, a=wide(41)),
    _bad(a=10**12 + 1),
    _bad(a=-(10**12) - 1),
    _bad(r=[{}] * 5),
    _bad(r=["x"]),
    _bad(r=[{}, None]),
    _bad(r=[[{}]]),
    _bad(r=[{"a": None}]),
    _bad(r=[{"a": []}]),
    _bad(r=[{"a": False}]),
    _bad(r=[{}, {"a": 2.5}]),
    _bad(r=[{"a": wide(41)}]),
    _bad(r=[{"a": 10**12 + 1}]),
    _bad(r=[{f"a{i}": 1 for i in range(7)}]),
    ("names", {}),
    ("names", {"template": 5}),
    ("names", {"template": None}),
    ("names", {"template": wide(401)}),
)

FAMILY = Family(
    number=5,
    slug="template-render",
    category="text",
    title="Template rendering",
    purpose="Fills text templates with values: tags for text with filters, sections for conditions and for rows of values, "
    "and tells which names a template uses.",
    notes=NOTES,
    operations=(RENDER, NAMES),
    program=program,
    # The `#lines` tag is alone on its line, so the whole line goes. For the first row qty is 2, item `tea`; there is no note,
    # so the section is skipped; the line feed after it stays. Second row: `pie` and its note. The `/lines` tag is alone too.
    # Then lines has 2 rows, `due` is 0 and so not true: `paid`. The name comes from outside: `<Bo>` as HTML in
    # capitals - filters
    # go from left to right, so `html` makes `&lt;Bo&gt;` and `upper` changes that to `&LT;BO&GT;`.
    golden=Case(
        op="render",
        args={
            "template": "{{#lines}}\n{{qty}} x {{item}}{{#note}} ({{note}}){{/note}}\n  {{/lines}}\n"
            "{{lines}} lines, {{^due}}paid{{/due}}{{#due}}open{{/due}} by {{ name | html | upper }}",
            "values": {
                "name": "<Bo>",
                "due": 0,
                "lines": [{"qty": 2, "item": "tea"}, {"qty": 1, "item": "pie", "note": "hot"}],
            },
        },
        expected={"text": "2 x tea\n1 x pie (hot)\n2 lines, paid by &LT;BO&GT;"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
