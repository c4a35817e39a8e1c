import socket
import threading

import pytest

from proofyard.core import Failure, Image, InfrastructureError, MemoryBlobs, Network, SandboxSpec
from proofyard.sandbox import LADDER, LocalProvider
from tests.sandbox.boxes import opened, run


@pytest.fixture
def free():
    made = LocalProvider(slots=2)
    yield made
    made.close()


def open_and_close(provider, **options):
    sandbox = provider.open(SandboxSpec(**options), MemoryBlobs())
    try:
        return sandbox.rung, dict(sandbox.provenance), sandbox._runner
    finally:
        sandbox.close()


def test_takes_the_best_rung_and_a_warm_process_for_a_preload(free):
    assert open_and_close(free)[0] == "bubblewrap"
    assert open_and_close(free, image=Image(preload=("json",)))[0] == "zygote"
    assert open_and_close(free, image=Image(preload=("json",)), lowest="bubblewrap")[0] == "bubblewrap"
    assert open_and_close(free, image=Image(preload=("json",)), armed=True)[0] == "bubblewrap"


def test_a_runner_is_used_again_after_a_close(free):
    assert open_and_close(free)[2] is open_and_close(free)[2]


def test_no_sandbox_only_where_it_was_asked_for():
    unsafe = LocalProvider(unsafe=True)
    rung, provenance, _ = open_and_close(unsafe)
    unsafe.close()
    assert (rung, provenance["isolation"], provenance["filter"]) == ("none", "none", "")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"network": Network(mode="public")}, "never gets the public network"),
        ({"lowest": "container"}, "no image is named for the container"),
    ],
)
def test_what_cannot_be_given_is_refused(free, options, why):
    with pytest.raises(InfrastructureError, match=why) as caught:
        free.open(SandboxSpec(**options), MemoryBlobs())
    assert caught.value.failure.code == "isolation_unavailable"


@pytest.mark.parametrize("rung", ["zygote", "landlock", "none"])
def test_kill_points_and_hosts_are_refused_below_bubblewrap(rung):
    provider = LocalProvider(rung=rung)
    for options in ({"armed": True}, {"network": Network(mode="hosts", hosts=("127.0.0.1:1",))}):
        with pytest.raises(InfrastructureError, match="need") as caught:
            provider.open(SandboxSpec(**options), MemoryBlobs())
        assert caught.value.failure.code == "isolation_unavailable"
    provider.close()


def test_from_many_threads_at_once(free):
    results = []

    def work(number):
        for _ in range(3):
            with opened(free, f"print({number})") as sandbox:
                results.append((number, run(sandbox).stdout))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted((number, b"%d\n" % number) for number in range(4) for _ in range(3))


def test_close_ends_what_another_thread_waits_for():
    provider = LocalProvider(rung="bubblewrap")
    failures = []

    def wait():
        with opened(provider, "import time; time.sleep(60)") as sandbox:
            try:
                started.set()
                sandbox.start(["python", "main.py"]).exchange(b"1", 30_000)
            except InfrastructureError as error:
                failures.append(error.failure.code)

    started = threading.Event()
    thread = threading.Thread(target=wait)
    thread.start()
    started.wait()
    provider.close()
    thread.join(10)
    assert failures == ["sandbox_lost"]
    with pytest.raises(InfrastructureError, match="closed"):
        provider.open(SandboxSpec(), MemoryBlobs())


def test_every_rung_is_probed_by_a_canary(free):
    found = free.probe()
    assert [report.rung for report in found.rungs] == list(LADDER)
    assert {report.rung: report.reason for report in found.rungs} == dict.fromkeys(LADDER, "")
    assert found.best == "bubblewrap"
    assert found.facts["started_as"] in {"root", "user"}
    assert all(report.open for report in found.rungs)


def test_the_canary_tells_a_leak():
    """The positive control: on a rung that isolates nothing the canary sees what it must not."""
    from proofyard.sandbox import probe

    with socket.create_server(("127.0.0.1", 0)) as listener:
        order = {"nonce": "n", "outside": str(probe.OUTSIDE), "port": listener.getsockname()[1]}
        open_to_all = probe._ask("none", order)[0]
        held = probe._ask("bubblewrap", order)[0]
    assert probe._leak(open_to_all) == "a file outside could be read"
    assert probe._leak({**open_to_all, "outside": ""}) == "the host's network could be reached"
    assert probe._leak(held) == ""
    assert probe._leak({**held, "project": True}) == "the project folder could be written"
    assert probe._leak({**held, "uid": 0}) == "the program kept privileges"


@pytest.mark.parametrize(
    ("code", "losses", "reason"), [("sandbox_lost", 2, ""), ("sandbox_lost", 9, "x"), ("sandbox_start", 1, "x")]
)
def test_a_runner_lost_while_probing_does_not_lower_the_rung(monkeypatch, code, losses, reason):
    from proofyard.sandbox import probe

    real, left = probe._run_canary, [losses]

    def losing(rung):
        left[0] -= 1
        if left[0] >= 0:
            raise InfrastructureError(Failure(code=code, message="x"))
        return real(rung)

    monkeypatch.setattr(probe, "_run_canary", losing)
    assert bool(probe._reason("bubblewrap")) == bool(reason)
