"""The examples of docs/models.md are executed as they stand."""

import json
import re
from pathlib import Path

import pytest

from proofyard.core import FAILURES
from proofyard.models import open_model, read_prices
from proofyard.models.offline import Line
from proofyard.testing import ModelServer, Usage, say

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```\n", PAGE.replace("```python\\nprint('hello')\\n```", "FENCE"), re.DOTALL)


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer(say("Paris", usage=Usage(30, 1))) as server:
        names = {"BASE_URL": server.url("openai-chat")}
        for block in blocks("python"):
            exec(block, names)
    out = capsys.readouterr().out
    assert out.startswith(
        "Paris stop Tokens(input=30, output=1, cached=0, cache_write=None, reasoning=0) None\n31 31\n"
    )
    assert "name='temperature', value='0', why='this model takes none'" in out


def test_prices_and_scripts(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(blocks("toml")[0])
    assert read_prices(tmp_path / "p.toml")["openai-compatible/my-model"].prices["cached"] == "0.025"
    (lines,) = blocks("json")
    (tmp_path / "s.jsonl").write_text(lines)
    open_model(f"scripted/{tmp_path / 's.jsonl'}")
    fields = {field for line in lines.splitlines() for field in json.loads(line)}
    assert fields <= set(Line.__struct_fields__)


def test_every_failure_of_models_is_explained() -> None:
    codes = {code for code, rule in FAILURES.items() if rule.boundary == "model"}
    assert codes == set(re.findall(r"`(model_[a-z_]+)`", PAGE)) - {"model_server"}
