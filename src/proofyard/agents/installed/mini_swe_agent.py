"""mini-swe-agent: a small agent in Python with one tool, bash. It is told to use classes of its own kinds that print each
message as soon as it is there, and do not ask again where nothing more is sent.
"""

import json
from typing import Any, ClassVar, Final

from proofyard.agents.installed.cli import HOME, Cli, Job, Reader, Report, Start, Used
from proofyard.agents.installed.log import Log
from proofyard.agents.installed.work import Work
from proofyard.agents.plugin import AgentSetup
from proofyard.core import Agent

__all__ = ["mini_swe_agent"]

_STARTER: Final = '''\
"""Starts mini-swe-agent: what it says to people goes to standard error, each message as JSON to standard output."""

import json, os, sys

messages = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
if os.environ.pop("OWN_PACKAGES_ONLY", ""):
    os.environ.pop("PYTHONPATH", None)  # its packages are not those of the commands it runs

from minisweagent.agents.interactive import InteractiveAgent
from minisweagent.models.litellm_model import LitellmModel
from minisweagent.run.mini import app


class Told(InteractiveAgent):
    def add_messages(self, *added):
        for one in added:
            messages.write(json.dumps(one, default=str) + "\\n")
            messages.flush()
        return super().add_messages(*added)


class Refused(Exception):
    """The gateway sends nothing more; asking again is of no use."""


class Asked(LitellmModel):
    abort_exceptions = [*LitellmModel.abort_exceptions, Refused]

    def _query(self, messages, **more):
        try:
            return super()._query(messages, **more)
        except Exception as error:
            if getattr(error, "status_code", None) == 403:
                raise Refused(str(error)) from error
            raise


sys.modules["told"] = sys.modules["__main__"]
try:
    app()
except Exception as error:  # shown in full, with everything in it, it takes half a minute
    sys.exit(f"{type(error).__name__}: {error}")
'''
_START: Final = "start.py"
_SETTINGS: Final = "settings.yaml"
_OVER: Final = frozenset({"LimitsExceeded", "TimeExceeded"})
_WIRES: Final = {
    "openai-chat": ("openai", "/v1"),
    "openai-responses": ("openai", "/v1"),
    "anthropic-messages": ("anthropic", ""),
    "gemini": ("gemini", "/v1beta"),
}
"""What litellm calls the dialect, and the path of it. Of OpenAI's two it is spoken to in chat completions."""


class _Reader:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._answers = 0
        self._input = self._output = 0
        self._counted = False
        self._end: dict[str, Any] | None = None

    def event(self, event: dict[str, Any]) -> None:
        role, extra = event.get("role"), event.get("extra") or {}
        if role == "assistant":
            self._answer(event, extra)
        elif role == "tool":
            code = extra.get("returncode")
            content = "\n".join(filter(None, (extra.get("raw_output"), extra.get("exception_info"))))
            whole = isinstance(code, int) and code >= 0
            self._log.gave(str(event.get("tool_call_id")), content, failed=not whole, code=code if whole else None)
        elif role == "exit":
            self._end = extra
        elif role == "system":
            self._log.note("system", str(event.get("content")))
        elif role == "user" and self._answers:
            self._log.finish()
            self._log.note("user", str(event.get("content")))
            self._count(extra.get("response"))

    def report(self) -> Report:
        used = Used(self._input, self._output) if self._counted else None
        if self._end is None:
            return Report(used=used)
        status = str(self._end.get("exit_status"))
        failure = "" if status in _OVER or status == "Submitted" else status
        said = str(self._end.get("exception_str") or "")
        return Report(f"{failure}: {said}" if failure and said else failure, status in _OVER, used, {"end": status})

    def _answer(self, event: dict[str, Any], extra: dict[str, Any]) -> None:
        self._answers += 1
        key = str(self._answers)
        response = extra.get("response") or {}
        choice = (response.get("choices") or [{}])[0]
        self._log.said(
            key,
            str(event.get("content") or ""),
            thought=str(event.get("reasoning_content") or ""),
            model=str(response.get("model") or ""),
            stop=str(choice.get("finish_reason") or ""),
        )
        for call in event.get("tool_calls") or []:
            function = call.get("function") or {}
            self._log.called(key, str(call.get("id")), str(function.get("name")), str(function.get("arguments")))
        self._count(response)

    def _count(self, response: Any) -> None:
        usage = response.get("usage") if isinstance(response, dict) else None
        if isinstance(usage, dict):
            self._counted = True
            self._input += int(usage.get("prompt_tokens") or 0)
            self._output += int(usage.get("completion_tokens") or 0)


class _Plugin(Cli):
    name = "mini-swe-agent"
    pinned = "2.4.6"
    wires = frozenset(_WIRES)
    settled: ClassVar[frozenset[str]] = frozenset({"temperature", "top_p", "max_tokens", "seed"})

    def start(self, job: Job) -> Start:
        end = job.endpoint
        kind, path = _WIRES[end.wire]
        kwargs: dict[str, Any] = {
            "drop_params": True,
            "api_base": f"{end.url}{path}",
            "api_key": end.token,
            "max_retries": 0,
        }
        for name in ("temperature", "top_p"):
            if getattr(job.sampling, name) is not None:
                kwargs[name] = float(getattr(job.sampling, name))
        for name in ("max_tokens", "seed"):
            if getattr(job.sampling, name) is not None:
                kwargs[name] = getattr(job.sampling, name)
        settings = {
            "run": {"task": job.prompt},
            "agent": {"agent_class": "told.Told", "mode": "yolo", "confirm_exit": False, "cost_limit": 0},
            "model": {
                "model_class": "told.Asked",
                "model_name": f"{kind}/{end.model}",
                "model_kwargs": kwargs,
            },
        }
        config = f"{HOME}/{_SETTINGS}"
        argv = ["python", f"{HOME}/{_START}", "-c", "mini.yaml", "-c", config, "-o", f"{HOME}/trajectory.json"]
        env = {
            "MSWEA_CONFIGURED": "true",
            "MSWEA_SILENT_STARTUP": "1",
            "MSWEA_COST_TRACKING": "ignore_errors",
            "MSWEA_GLOBAL_CONFIG_DIR": f"{HOME}/.config",
            "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": str(job.retries + 1),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            **({} if job.brings_packages else {"OWN_PACKAGES_ONLY": "1"}),
        }
        return Start(tuple(argv), env, {_START: _STARTER, _SETTINGS: json.dumps(settings)})

    def reader(self, log: Log) -> Reader:
        return _Reader(log)

    def make(self, setup: AgentSetup) -> Agent:
        return Work(self, setup)


mini_swe_agent: Final = _Plugin()
