"""Builds the site."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import DOCS, ROOT


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    """The site, from a copy of the pages, so that a site that is being served stays as it is."""
    shutil.copy(ROOT / "zensical.toml", folder)
    if not (folder / "docs").exists():
        shutil.copytree(DOCS, folder / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
