"""The verbs' table, the lazy group, and the one place where errors become exit codes."""

import importlib
import keyword
import os
import signal
import sys
from typing import Final, NoReturn

import click

__all__ = ["VERBS", "app", "main"]

VERBS: Final[dict[str, str]] = {
    "list": "Tasks of a suite.",
    "prepare": "A task's prompt and an empty project folder to work in.",
    "evaluate": "Grade one solution of one task, or samples of a function benchmark.",
    "inspect": "What came of the samples of a task, beside its test.",
    "score": "Resolve rates of result files and run folders.",
    "table": "Task by model by condition of run folders, as Markdown: passed, cost, errors, bands.",
    "run": "Let an agent attempt tasks, grade them, keep everything.",
    "trace": "What an agent did in an attempt: thoughts, commands, edits, cost, verdict.",
    "why": "Failed attempts by cause, with the move that first went wrong.",
    "grade": "Grade a task folder by its reference, a script or a folder of yours; no agent.",
    "lint": "Task folders looked at without running them: faults, what cannot be enforced, leaks.",
    "instances": "Seeded instances of a family of tasks, each proved.",
    "new": "A folder for a new task, to begin with.",
    "regrade": "Grade the kept submissions of a run again.",
    "reference": "A task's reference solution as a submission, for auditing.",
    "build": "Write the dataset: one JSONL file a tier and a manifest.",
    "export": "In the formats of others: hf, tasks as a Hugging Face dataset; harbor, a run as a job.",
    "import": "Results of others as run folders: harbor, a job of Harbor's.",
    "validate": "Check that every reference passes and every empty project fails.",
    "verify": "Prove tasks: every known submission is graded and must come out as declared.",
    "mutants": "Check that the tests notice small faults of the references.",
    "env": "Pinned environments for tasks' libraries: build, list, path.",
    "check-env": "Which tasks' own solutions pass in an environment, and why others do not.",
    "generate": "Ask a model for samples of a function benchmark.",
    "sanitize": "The programs of samples: without fences, talk, demonstrations; what is unsafe is flagged.",
    "syncheck": "Tasks without samples; samples that are empty or not Python.",
    "models": "Model providers: key variables, what is set, prices known or not.",
    "doctor": "Which isolation this machine gives, rung by rung.",
}


class LazyGroup(click.Group):
    """A group that imports a verb's module when the verb is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb; an unknown one suggests the nearest."""
        if cmd_name not in VERBS:
            import difflib

            near = difflib.get_close_matches(cmd_name, VERBS, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"unknown command {cmd_name!r}{hint} (proofyard --help lists them)")
        module = cmd_name.replace("-", "_") + ("_" if keyword.iskeyword(cmd_name) else "")
        command = importlib.import_module(f"proofyard.cli.{module}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"proofyard.cli.{cmd_name}.command is no click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing the verbs."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from proofyard import __version__

        click.echo(f"proofyard {__version__}")
        ctx.exit()


def _with_hyphens(token: str) -> str:
    """Options and verbs are taken with underscores too, as python-fire has them in other tools."""
    return token.replace("_", "-")


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": _with_hyphens},
    no_args_is_help=False,
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def app() -> None:
    """Measure whether a model or a coding agent can build working software."""


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    if len(sys.argv) == 1:
        sys.argv.append("--help")
    sys.exit(_guarded())


def _guarded() -> int:
    try:
        code = app.main(prog_name="proofyard", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", 130)
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> int:
    if os.environ.get("PROOFYARD_DEBUG"):
        raise error
    from proofyard.core.errors import ProofyardError

    if isinstance(error, ProofyardError):
        return _complain(str(error), error.exit_code)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return _complain(f"{where}{error.strerror or error}", 3)
    kind = type(error).__name__
    return _complain(f"a fault of proofyard itself: {kind}: {error} (PROOFYARD_DEBUG=1 shows where)", 3)


def _complain(message: str, code: int) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"proofyard: {line}\n")
    return code


def _terminate(_signum: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
