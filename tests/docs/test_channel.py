"""The clients of the page about the play channel play against each other, as they are printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx

from tests.docs.pages import DOCS, blocks, section
from tests.support.clients import Server
from tests.verifiers.standalone import node

PAGE = (DOCS / "channel.md").read_text()


def program(heading: str, language: str, file: Path) -> str:
    (text,) = blocks(section(PAGE, heading), language)
    file.write_text(text)
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) <= 40, f"{heading} has {len(lines)} lines"
    return str(file)


def web_sockets() -> list[str]:
    """The options with which this Node has web sockets."""
    version = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout
    return [] if int(version.removeprefix("v").split(".")[0]) >= 22 else ["--experimental-websocket", "--no-warnings"]


def test_the_clients_of_the_page_play_a_game_with_each_other(tmp_path: Path) -> None:
    with Server(tmp_path / "games.db") as server, httpx.Client(base_url=server.url) as http:
        tokens = [http.post("/v1/players", json={"name": name}).json()["token"] for name in ("Ann", "Bob")]
        headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
        terms = {"seats": 2, "options": {"target_points": 1}}
        game = http.post("/v1/games/skyjo", json=terms, headers=headers[0]).json()
        http.post(game["links"]["seats"], json={}, headers=headers[1]).raise_for_status()
        commands = [
            [sys.executable, "-I", program("A client in Python", "python", tmp_path / "client.py")],
            [node(), *web_sockets(), program("A client in JavaScript", "js", tmp_path / "client.mjs")],
        ]
        common = os.environ | {"API": server.url, "GAME": f"skyjo/{game['id']}"}
        players = [
            subprocess.Popen(
                command, env=common | {"TOKEN": token}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True,
            )
            for command, token in zip(commands, tokens, strict=True)
        ]  # fmt: skip
        for player in players:
            told, errors = player.communicate(timeout=120)
            assert player.returncode == 0, errors
            assert re.fullmatch(r"winners: \[ ?\d.*\]\n", told), told
        assert http.get(game["links"]["self"], headers=headers[0]).json()["status"] == "finished"
