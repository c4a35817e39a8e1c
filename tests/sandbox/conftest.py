from collections.abc import Iterator

import pytest

from proofyard.sandbox import LocalProvider


@pytest.fixture(scope="session")
def provider() -> Iterator[LocalProvider]:
    made = LocalProvider(rung="bubblewrap")
    yield made
    made.close()
