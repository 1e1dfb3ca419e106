"""The page that is printed for browsers plays a game in one, from another origin."""

import re
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.clients import Server
from tests.docs.pages import DOCS, blocks
from tests.docs.test_site import Quiet
from tests.openapi.test_docs_page import visited

PAGE = (DOCS / "browser.md").read_text()
THEIRS = "http://127.0.0.1:8000"


@pytest.mark.parametrize("allowed", [True, False])
def test_the_page_plays_a_game_where_its_origin_is_allowed(tmp_path: Path, allowed: bool) -> None:
    (printed,) = blocks(PAGE, "html")
    assert printed.count(THEIRS) == 1
    folder = tmp_path / "site"
    folder.mkdir()
    pages = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    origin = f"http://127.0.0.1:{pages.server_port}"
    server = Server(tmp_path / "games.db", cors_origins=origin if allowed else "https://other.example")
    (folder / "index.html").write_text(printed.replace(THEIRS, server.url))
    thread = threading.Thread(target=pages.serve_forever)
    thread.start()
    try:
        visit = visited(origin, tmp_path)
    finally:
        pages.shutdown()
        thread.join()
        pages.server_close()
        server.stop()
    if allowed:
        assert re.search(r"Winners:\d", visit.text), visit.text
        assert visit.text.endswith("endedrevealed"), "the stream ended with the game"
    else:
        assert "Winners" not in visit.text
        assert any("CORS" in line for line in visit.console)
