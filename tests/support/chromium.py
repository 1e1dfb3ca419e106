"""The Chromium on this machine."""

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""The usual names of its binary. The first one is built without what draws on a screen: a test with it takes half the
CPU."""


def chromium_binary() -> str:
    """The path of the binary that the environment variable BROWSER_BIN names, or of one of NAMES."""
    named = os.environ.get("BROWSER_BIN")
    found = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    assert found, (
        "This test needs Chromium. Install it (Debian and Ubuntu: apt-get install chromium-headless-shell), or name "
        f"the binary of a Chromium or Chrome in BROWSER_BIN{f'; {named} is none' if named else ''}."
    )
    return found
