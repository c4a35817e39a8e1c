"""The family's own operations, sent directly: all tiers."""

from proofyard.suites.scratch.script import Script

__all__ = ["all_inputs", "errors_example", "golden_example", "silence"]


def golden_example(script: Script) -> None:
    """Write the golden case as a public example."""
    script.kind = "golden"
    script.ask(*script.stage.cases.golden, id="g-1")


def errors_example(script: Script) -> None:
    """Write a public example of the first boundary case, wrong arguments, an unknown operation and a broken line."""
    script.kind = "boundary"
    script.ask(*script.stage.cases.boundary[0], id=2)
    script.kind = "malformed"
    script.ask(*script.stage.cases.malformed[0], id=3)
    script.ask("no_such_operation", {}, id="four")
    script.raw(b'{"id": 5, "op": ')


def all_inputs(script: Script) -> None:
    """Write the generated, boundary and malformed inputs; the program must go on after each error."""
    stage = script.stage
    script.kind = "generated"
    for op, args in stage.cases.generated:
        script.ask(op, args)
    script.kind = "boundary"
    for op, args in stage.cases.boundary:
        script.ask(op, args)
    for count, (op, args) in enumerate(stage.cases.malformed):
        script.kind = "malformed"
        script.ask(op, args)
        if count % 4 == 3:
            script.kind = "golden"
            script.ask(*stage.cases.golden)
    script.kind = "boundary"
    op, args = stage.cases.golden
    script.ask(op, {"unused": [1, {"a": None}], **args, "zz": "ignored"})
    script.ask(op, dict(reversed(args.items())))


def silence(script: Script) -> None:
    """Write a session without any request: no output, exit code 0."""
    script.restart()
