"""Loads what is dear to load only where it is used: every worker would load it."""

from pathlib import Path

import pytest

CHECKED = ("test_docs_page.py", "test_document.py", "test_schemathesis.py")
"""Files all of whose tests are `checked`."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """schemathesis takes half a second to load, and looks at each test."""
    if collection_path.name not in CHECKED:
        return None
    if not (config.getoption("--checked") or config.getoption("--everything")):
        return True
    if collection_path.name == "test_schemathesis.py":
        config.pluginmanager.import_plugin("schemathesis.pytest.plugin")
    return None
