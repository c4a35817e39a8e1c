"""What needs no audit hook: ownership of classes, and replaced functions. The hook is tried by hostile samples in a sandbox."""

import collections
import json
import random
import sys
import types
import unittest.mock
from collections.abc import Iterator

import pytest

from proofyard.graders.unittest_watch import Watch


@pytest.fixture
def module() -> Iterator[types.ModuleType]:
    made = types.ModuleType("a_module_of_tests")
    exec("def f(): ...\ndef g(): ...\nX = 1\nclass C:\n    def m(self): ...\n", vars(made))
    sys.modules[made.__name__] = made
    yield made
    del sys.modules[made.__name__]


def watch_of(module: types.ModuleType) -> Watch:
    watch = Watch({})
    watch.remember([module.__name__], ["f", "g", "C", "m", "X"], {"class": module.C})
    watch.guard(module, module.C)
    return watch


def test_what_is_as_before_is_no_evidence(module: types.ModuleType) -> None:
    watch = watch_of(module)
    before = watch.glance()
    module.X = 2
    module.added = len
    watch.differs(before, watch.glance())
    watch.compare()
    assert watch.evidence == []


def test_what_was_replaced(module: types.ModuleType) -> None:
    watch = watch_of(module)
    before = watch.glance()
    module.f = len
    del module.g
    module.C.m = len
    watch.differs(before, watch.glance())
    assert watch.evidence == ["a call replaced f", "a call replaced g", "a call replaced m"]
    watch.compare()
    name = module.__name__
    assert watch.evidence[3:] == [
        f"{name}.f was replaced",
        f"{name}.g was replaced",
        f"{name}.C.m was replaced",
        "class.m was replaced",
    ]


def test_put_back_in_time_is_seen_by_glances_alone(module: types.ModuleType) -> None:
    watch, kept = watch_of(module), module.f
    before = watch.glance()
    module.f = len
    between = watch.glance()
    module.f = kept
    watch.compare()
    assert watch.evidence == []
    watch.differs(before, between)
    assert watch.evidence == ["a call replaced f"]


def test_what_is_fixed_must_be_as_it_was_at_first(module: types.ModuleType) -> None:
    watch = Watch({})
    watch.guard(module.C, fixed=True)
    module.C.m = len
    watch.differs(watch.glance(), watch.glance())
    assert watch.evidence == ["a call replaced m"]


def test_another_module_of_the_same_name(module: types.ModuleType) -> None:
    watch = watch_of(module)
    sys.modules[module.__name__] = types.ModuleType(module.__name__)
    watch.compare()
    assert watch.evidence == [f"the module {module.__name__} was replaced"]


def test_whose_a_class_is() -> None:
    watch = Watch({})
    local = type("Local", (), {"__module__": "collections"})
    assert watch.is_library_class(json.JSONDecoder)
    assert watch.is_library_class(collections.Counter)
    assert watch.is_library_class(random.Random)
    assert not watch.is_library_class(local)
    assert not watch.is_library_class(type(unittest.mock.ANY))
    assert not watch.is_library_class(Watch)
