import threading

import pytest

from proofyard.core import InfrastructureError
from proofyard.engine import site as sites
from proofyard.engine.orders import Site


def test_a_run_has_one_site_a_process_until_it_is_closed() -> None:
    site = sites.at(Site(run="/x"))
    assert sites.at(Site(run="/x")) is site
    assert sites.at(Site(run="/y")) is not site
    assert sites.close("/x", 1.0)
    assert sites.close("/y", 1.0)
    assert sites.close("/never", 1.0)
    assert sites.at(Site(run="/x")) is not site
    assert sites.close("/x", 1.0)


def test_a_closed_site_opens_no_sandbox_and_says_that_it_is_stopped() -> None:
    site = sites.at(Site(run="/x"))
    assert not site.stopped.is_set()
    sites.close("/x", 1.0)
    assert site.stopped.is_set()
    with pytest.raises(InfrastructureError, match="the run was stopped"):
        site.provider()


def test_closing_waits_for_jobs_under_way_but_not_for_ever() -> None:
    site = sites.at(Site(run="/x"))
    inside, leave = threading.Event(), threading.Event()

    def work() -> None:
        with site.working():
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(30)
    assert not site.close(0.05)
    leave.set()
    assert site.close(30.0)
    thread.join()
