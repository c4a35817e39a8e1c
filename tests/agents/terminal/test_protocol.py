import pytest

from proofyard.agents.terminal.protocol import Asked, asked_in_text, asked_of_tools, results_of_tools, shown
from proofyard.models import Answer, Text, ToolCall, ToolResult
from proofyard.sandbox.shell import Ran


def said(text: str) -> Answer:
    return Answer(parts=(Text(text=text),), stop="stop")


def called(arguments: str, name: str = "shell", problem: str = "") -> Answer:
    return Answer(parts=(ToolCall(id="c", name=name, arguments=arguments, problem=problem),), stop="tool_calls")


def test_a_tool_call_is_a_command() -> None:
    assert asked_of_tools(called('{"command":"ls","timeout_s":5}')) == [Asked("ls", 5, "c")]
    assert asked_of_tools(called('{"command":"ls","timeout_s":9999}')) == [Asked("ls", 600, "c")]
    assert asked_of_tools(said("done")) == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (called("{}"), "the call has no command"),
        (called('{"command":3}'), "the call has no command"),
        (called('{"command":"ls","timeout_s":"soon"}'), "timeout_s is no number of seconds"),
        (called('{"command":"ls"}', "bash"), "there is no tool 'bash'; the only one is 'shell'"),
        (called('{"comm', problem="no JSON"), "no JSON"),
    ],
)
def test_a_call_that_cannot_be_used_is_told_to_the_model(answer: Answer, problem: str) -> None:
    (asked,) = asked_of_tools(answer)
    assert (asked.call, asked.problem, asked.command) == ("c", problem, "")


def test_a_fence_is_a_command() -> None:
    assert asked_in_text(said("I look.\n```sh\nls\npwd\n```\n")) == [Asked("ls\npwd")]
    assert asked_in_text(said("All is well.\n\nTASK_DONE")) == []
    assert asked_in_text(said("<think>```sh\nno\n```</think>```bash\nls\n```")) == [Asked("ls")]
    assert asked_in_text(said("````sh\ncat > R <<E\n```\nx\n```\nE\n````")) == [Asked("cat > R <<E\n```\nx\n```\nE")]
    assert asked_in_text(said("I am done."))[0].problem.startswith("your answer has no command")
    assert asked_in_text(said("```sh\na\n```\n```sh\nb\n```"))[0].problem.startswith("your answer has 2 commands")


def test_results_answer_their_calls() -> None:
    message = results_of_tools([Asked("a", call="c1"), Asked("b", call="c2")], ["x", "y"], [False, True])
    assert message.role == "tool"
    assert message.parts == (ToolResult(call="c1", text="x"), ToolResult(call="c2", text="y", failed=True))
    assert results_of_tools([Asked("a")], ["x"], [False]).role == "user"


def test_what_a_command_gave_in_words() -> None:
    assert shown(Ran("a\n", 0)) == "a\n[exit code 0]"
    assert shown(Ran("", 2)) == "[exit code 2]"
    assert shown(Ran("a\n", None, timed_out=True)) == "a\n[interrupted: its time was over]"
    assert "the shell was lost" in shown(Ran("", 3, restarted=True))
    assert "the sandbox ended the shell and all it ran: oom" in shown(Ran("", restarted=True, fault="oom"))
