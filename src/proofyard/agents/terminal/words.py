"""What the terminal agent says to the model."""

import re
from collections.abc import Mapping
from typing import Final

from proofyard.agents.plugin import SKILLS
from proofyard.agents.terminal.protocol import DONE
from proofyard.core import Blobs, Tree, file_bytes

__all__ = ["CUT", "EMPTY", "NOT_THERE", "instructions", "skills_in_words"]

_RULES: Final = """\
You build software to a specification, in a Linux sandbox without network. You work in the project's folder, where the shell
starts; what lies there in the end is handed in and tested with tests that you do not see. Everything else is thrown away, and
every process is ended, before that. There is nobody to ask: decide, build, try it out, and mend what is wrong.

{how}"""
_BY_TOOL: Final = """\
Use the tool `shell` to run commands. When the work is done and tried out, answer without a tool call; that ends it."""
_IN_TEXT: Final = f"""\
Each of your answers has exactly one command for bash, in a fence:

```sh
ls -la
```

If a command holds three backticks, use longer fences. You are then told its output. The shell stays: its folder, variables,
functions and background jobs are kept. Standard input is empty, and a command that takes longer than 120 s is interrupted.
When the work is done and tried out, answer with a line {DONE} and no fence; that ends it."""

CUT: Final = "your answer was cut at the limit of its length and nothing of it was run; give a shorter one, in parts"
EMPTY: Final = "your answer was empty; run a command, or say that you are done"
NOT_THERE: Final = "There is no {entry} in the project's folder. Go on; or, if that is how it is to be, say so again."

_DESCRIPTION: Final = re.compile(r"^description:[ \t]*(.+)$", re.MULTILINE)


def instructions(by_tool: bool) -> str:
    """Return the rules of the work."""
    return _RULES.format(how=_BY_TOOL if by_tool else _IN_TEXT)


def skills_in_words(skills: Mapping[str, Tree], blobs: Blobs) -> str:
    """Return what is said of the skills at hand: where each is, and what for, as its own head says."""
    if not skills:
        return ""
    lines = ["\n\nThere are skills, written for work like this. Read the SKILL.md of one that fits before you begin:"]
    for name, tree in sorted(skills.items()):
        text = file_bytes(tree.entries["SKILL.md"], blobs).decode("utf-8", "replace")
        found = _DESCRIPTION.search(text)
        lines.append(f"- {SKILLS}/{name}/SKILL.md" + (f": {found[1].strip()}" if found else ""))
    return "\n".join(lines)
