import threading

import pytest

from proofyard.graders.alone import Turnstile


def test_alone_waits_for_others_and_keeps_newcomers_out() -> None:
    gate = Turnstile()
    events: list[str] = []
    inside, leave, asked = threading.Event(), threading.Event(), threading.Event()

    def beside() -> None:
        with gate.together():
            inside.set()
            leave.wait(10)
            events.append("first leaves")

    def single() -> None:
        inside.wait(10)
        asked.set()
        with gate.alone():
            events.append("alone")

    def late() -> None:
        asked.wait(10)
        while not gate._asking and not gate._alone and "alone" not in events:
            pass
        with gate.together():
            events.append("late")

    threads = [threading.Thread(target=work) for work in (beside, single, late)]
    for thread in threads:
        thread.start()
    asked.wait(10)
    while not gate._asking:
        pass
    assert events == []
    leave.set()
    for thread in threads:
        thread.join(10)
    assert events == ["first leaves", "alone", "late"]


def test_many_together_and_a_raising_one_leaves() -> None:
    gate, done = Turnstile(), []
    with gate.together(), gate.together():
        done.append("two together")
    for hold in (gate.together, gate.alone):
        with pytest.raises(KeyError), hold():
            raise KeyError
        done.append("left by an error")
    with gate.alone():
        done.append("alone")
    assert done == ["two together", "left by an error", "left by an error", "alone"]


@pytest.mark.parametrize(("found", "done", "twice"), [([1], 1, False), ([0, 1], 1, True), ([0, 0], 0, True)])
def test_once_more_alone(found: list[int], done: int, twice: bool) -> None:
    turnstile = Turnstile()
    left = iter(found)
    assert turnstile.once_more_alone(lambda: next(left), lambda one: one == 0) == (done, twice)
    assert list(left) == []
    with turnstile.alone():
        pass  # nobody is left inside
