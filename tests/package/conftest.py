from pathlib import Path

import pytest

from tests.support import wheel

pytestmark = [pytest.mark.checked]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel.site(tmp_path_factory)
