"""The site, built once for the modules that run one after another."""

from pathlib import Path

import pytest

from tests.docs.sites import built

pytestmark = [pytest.mark.checked]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = built(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"
