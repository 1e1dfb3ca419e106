"""Loads schemathesis only for its own tests: it takes half a second in every process, and looks at each test."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """All of its tests are `checked`."""
    if collection_path.name != "test_schemathesis.py":
        return None
    if not (config.getoption("--checked") or config.getoption("--everything")):
        return True
    config.pluginmanager.import_plugin("schemathesis.pytest.plugin")
    return None
