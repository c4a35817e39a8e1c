"""Tests of one group go to one worker. Some releases of pytest and of its plug-in do not do so together, and then whatever
a group shares is made once for each worker: right, but twice as slow.
"""

import pytest

pytestmark = pytest.mark.xdist_group("together")


def test_a_group_is_part_of_the_id_that_work_is_handed_out_by(request: pytest.FixtureRequest) -> None:
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("not handed out by group")
    assert request.node.nodeid.endswith("@together")
