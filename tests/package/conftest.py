from pathlib import Path

import pytest

from tests.support import wheel


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel of the working copy is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    return wheel.installed(wheel.built(wheel.ROOT, folder), folder / "site")
