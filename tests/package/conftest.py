from pathlib import Path

import pytest

from tests.support import wheel

pytestmark = [pytest.mark.checked]


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Files none of whose tests runs are not even imported, which every worker would do."""
    return None if config.getoption("--checked") or config.getoption("--everything") else True


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel.site(tmp_path_factory)
