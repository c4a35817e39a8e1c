"""What a model is asked for a task, and at which texts its answer may be cut off."""

from typing import Final, NamedTuple

from proofyard.formats.rows import BigCodeRow, EvalRow
from proofyard.suites.functions.programs import prompt_of

__all__ = ["INSTRUCTION_PREFIX", "RESPONSE_PREFIX", "Prompting", "asked", "begun", "stop_texts"]

INSTRUCTION_PREFIX: Final = (
    "Write one complete Python program for the task below. It has to run on its own: bring its imports with it. "
    "Give the program in a single Markdown code block."
)
RESPONSE_PREFIX: Final = "This is the program; its function passes the tests of the task:"

_ANYWHERE: Final = ("<|endoftext|>", "<|endofmask|>", "</s>", "\nif __name__", "\ndef main(", "\nprint(")
_CHAT: Final = ("\n```\n",)
_DIRECT: Final = ("\ndef ", "\nclass ", "\nimport ", "\nfrom ", "\nassert ")
_DIRECT_MBPP: Final = ('\n"""', "\nassert")


class Prompting(NamedTuple):
    """How tasks are put to a model.

    split: which of BigCodeBench's two prompts. direct: the bare prompt, to be continued. response_prefix: what the answer
    begins with, "" if nothing is put into the model's mouth. strip_newlines: none at the ends of a bare prompt.
    """

    split: str = "complete"
    direct: bool = False
    instruction_prefix: str = INSTRUCTION_PREFIX
    response_prefix: str = ""
    strip_newlines: bool = False


def asked(row: BigCodeRow | EvalRow, how: Prompting) -> str:
    """Return the words of the user."""
    prompt = prompt_of(row, how.split)
    if how.direct:
        return prompt.strip("\n") if how.strip_newlines else prompt
    if how.split == "instruct":
        return f"{how.instruction_prefix}\n{prompt.strip()}\n"
    return f"{how.instruction_prefix}\n```\n{prompt.strip()}\n```\n"


def begun(how: Prompting) -> str:
    """Return the beginning of the model's own turn, up to the opening fence; "" if it begins by itself."""
    return f"{how.response_prefix}\n```python\n" if how.response_prefix and not how.direct else ""


def stop_texts(how: Prompting, benchmark: str) -> tuple[str, ...]:
    """Return the texts after which nothing of use comes, for an answer that begins inside the program."""
    if not how.direct:
        return (*_ANYWHERE, *_CHAT)
    return (*_ANYWHERE, *(_DIRECT_MBPP if benchmark.startswith("mbpp") else _DIRECT))
