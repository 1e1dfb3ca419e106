"""The installed service and its packages, and how tests talk to them."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.support import wheel
from tests.support.chromium import chromium_binary


@contextmanager
def serving(
    database: Path, *folders: Path, packages: str = "*", workers: int = 1, python: str = sys.executable
) -> Iterator[tuple[str, Path]]:
    """The installed service: its URL, and the file of its standard error."""
    errors = database.with_suffix(".err")
    environment = wheel.environment(
        *folders, STAMMTISCH_PACKAGES=packages, STAMMTISCH_WORKERS=str(workers), STAMMTISCH_RATE_LIMIT="off"
    )
    command = [python, "-P", "-m", "stammtisch", "serve", "--port", "0", "--database", str(database)]
    with errors.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=database.parent, env=environment, stdout=subprocess.DEVNULL, stderr=file
        )
    try:
        deadline = time.monotonic() + 60
        while (found := re.search(r"listens at (http://\S+)", errors.read_text())) is None:
            assert process.poll() is None and time.monotonic() < deadline, errors.read_text()
            time.sleep(0.05)
        yield found[1], errors
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def ask(
    url: str, path: str, body: Any = None, token: str = "", status: int | None = None, method: str | None = None
) -> Any:
    """The JSON of the response. `status`: of a refusal."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{url}{path}", data, headers, method=method)) as response:
            assert status is None, f"{response.status} instead of {status}"
            return json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        assert error.code == status, error.read()
        return json.load(error)


@contextmanager
def browsing(url: str, player: Any, game: str) -> Iterator[Page]:
    """The player's page of the game, `RULESET/ID`."""
    with watching(url, game, player) as (page,):
        yield page


@contextmanager
def watching(url: str, game: str, *players: Any) -> Iterator[list[Page]]:
    """The page of the game for each player, each in a browser of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        pages = []
        for player in players:
            page = browser.new_context().new_page()
            page.add_init_script(f"localStorage.setItem('stammtisch.identity', {json.dumps(json.dumps(player))})")
            page.goto(f"{url}/table?g={game}")
            pages.append(page)
        yield pages
        browser.close()
