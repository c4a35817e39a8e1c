"""Ids and digests never change by accident: their values are written down here."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from proofyard.core import (
    Brief,
    Budget,
    Image,
    Limits,
    Network,
    Plan,
    Record,
    Sampling,
    SandboxSpec,
    Subject,
    Tree,
    canonical,
    digest_of,
    trial_id,
)

from . import interpreters, nouns

GOLDEN = {
    "tree": "eeb796861b3feaa6ed59f84fec3c2d1c32c5b905cee2b359e90412e486cb7cd9",
    "tree odd": "ca55e5216693a32e784ee476ca4a7fb74d5dadcb9990d03cc46110fbb70ca9a5",
    "tree empty": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "spec": "e791d36a22fe67f03ae0794548f9cd9a44eca8bd1874979483ab7823e0314575",
    "spec default": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "brief": "cae97c1347a2d1c572ae7ac0df9c57e02241c93a619671f58d151f54f0c8848a",
    "subject": "52682c13ec78ba519b53698180e830ef42b58fb7580a7ba6163bdfc1c0c02a7c",
    "grader": "8025b588dd917e0b7c849b685dadcb68172d8e4b0f7eb5a5ae3bfdda6800eeda",
    "plan": "4cd3b0565c589dd1a32ab8b450534010d947cf464dfeb5e0f47fee03d02768ee",
    "trial 0": "9fc2dafb5ba10fbecbee478a8bc9a822",
    "trial 1": "21280718ab87786eab8246e14f88217c",
    "trial cold": "0708fad55c3c680779d724737583b48a",
    "trial warm": "6d0cb7d7613c51701e47e27e29fe5071",
    "verdict 0": "3802af5bc65230129b3d4ddfb2b13e0d",
    "verdict 1": "ac72cfa34ae9434976a850bcdb9dd852",
}
SOURCE = Path(__file__).parents[2] / "src"


def test_golden_values() -> None:
    assert nouns.digests() == GOLDEN


@pytest.mark.parametrize("minor", interpreters.NEWER)
def test_newer_pythons_give_the_same_values(minor: str) -> None:
    python = interpreters.environment(minor)
    if python is None:
        pytest.skip(f"no Python {minor} with msgspec here")
    # Another hash seed each time: nothing may hang on the order of a set or dictionary.
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([python, nouns.__file__], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == GOLDEN


def test_canonical_bytes_are_written_out() -> None:
    assert canonical(nouns.SUBJECT) == (
        b'{"agent":"terminal","budget":{"wall_s":60},"model":"example/model","parameters":{"a":"1","b":"2"},'
        b'"sampling":{"max_tokens":512,"temperature":"0.8"},"skills":["one"],"version":"1.2"}'
    )


def test_the_tree_rule_by_hand() -> None:
    def sha(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    lines = [
        ("data/\u00e9.bin", "100644", sha(bytes(range(256)) * 20)),
        ("main.py", "100644", sha(b"print('hi')\n")),
        ("run.sh", "100755", sha(b"#!/bin/sh\n")),
    ]
    assert sha("".join("\0".join(line) + "\n" for line in lines).encode()) == GOLDEN["tree"]


@pytest.mark.parametrize("record", nouns.RECORDS, ids=lambda record: type(record).__name__)
def test_a_new_field_with_a_default_changes_no_digest(record: Record) -> None:
    wider = msgspec.defstruct(
        "Wider",
        [("future", str, "later"), ("further", Limits, Limits())],
        bases=(type(record),),
        frozen=True,
        kw_only=True,
    )
    values = {name: getattr(record, name) for name in record.__struct_fields__}
    assert digest_of(wider(**values)) == digest_of(record)
    assert digest_of(wider(**values, future="now")) != digest_of(record)


@pytest.mark.parametrize("record", nouns.RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_read_back_has_its_digest(record: Record) -> None:
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)).digest == record.digest


def test_a_default_written_out_is_a_default() -> None:
    text = b'{"limits":{"wall_ms":30000,"memory":536870912},"network":{"mode":"none"},"kept":[],"lowest":"landlock"}'
    assert msgspec.json.decode(text, type=SandboxSpec).digest == SandboxSpec().digest
    spec = SandboxSpec(image=Image(environment={}), limits=Limits(pids=32), network=Network(hosts=()))
    assert spec.digest == SandboxSpec().digest
    assert Subject(agent="a", sampling=Sampling(extra={}), budget=Budget()).digest == Subject(agent="a").digest
    assert Brief(task="t", prompt="", files=Tree(entries={})).digest == Brief(task="t", prompt="").digest


def test_no_float_reaches_an_id() -> None:
    with pytest.raises(TypeError, match="decimal_text"):
        canonical({"a": [1, {"b": 0.5}]})


def test_temperature_is_part_of_a_trial() -> None:
    ids = {trial_id(nouns.BRIEF.digest, subject, 0) for subject in (nouns.COLD, nouns.WARM)}
    unset = trial_id(nouns.BRIEF.digest, Subject(agent="terminal", model="example/model"), 0)
    assert len(ids | {unset}) == 3


def test_attempts_change_no_id() -> None:
    briefs = {"toy-1": nouns.BRIEF.digest}
    one = [owed.id for owed in nouns.PLAN.expand(briefs)]
    more = Plan(suite="toy", version="1", tasks=("toy-1",), subjects=(nouns.SUBJECT,), attempts=5)
    five = [owed.id for owed in more.expand(briefs)]
    assert one == [GOLDEN["trial 0"]]
    assert five[:2] == [GOLDEN["trial 0"], GOLDEN["trial 1"]]
    assert len(set(five)) == 5
