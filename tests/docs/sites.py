"""Builds the site, and serves files on this machine alone."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.docs.pages import DOCS, ROOT


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    """The site, from a copy of the pages, so that a site that is being served stays as it is."""
    shutil.copy(ROOT / "zensical.toml", folder)
    if not (folder / "docs").exists():
        shutil.copytree(DOCS, folder / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def static(folder: Path) -> Iterator[str]:
    """The URL at which the files of the folder are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
