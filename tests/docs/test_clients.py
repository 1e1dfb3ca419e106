"""The bot of the page about clients plays, as it is printed."""

import os
import subprocess
import sys
from pathlib import Path

from stammtisch_client import Client

from tests.docs.pages import DOCS, blocks, section
from tests.support.clients import Server

PACKAGE = Path(__file__).parents[2] / "clients" / "python" / "src"


def test_the_newcomers_bot_takes_a_seat_and_plays_a_game(tmp_path: Path) -> None:
    (program,) = blocks(section((DOCS / "clients.md").read_text(), "A bot in 30 lines"), "python")
    assert len(program.splitlines()) <= 30
    (tmp_path / "newcomer.py").write_text(program)
    server = Server(tmp_path / "games.db")
    try:
        bot = subprocess.Popen(
            [sys.executable, "newcomer.py"], cwd=tmp_path, stdin=subprocess.DEVNULL,
            env=os.environ | {"API": server.url, "PYTHONPATH": str(PACKAGE)},
        )  # fmt: skip
        with Client(server.url) as ann:
            ann.register("Ann")
            table = ann.open("skyjo", 2, options={"target_points": 30})
            for turn in table.turns():
                turn.play(turn.legal_moves[-1])
            game = table.game()
            assert bot.wait(60) == 0
        assert game.seats[1].player is not None and game.seats[1].player.name == "Newcomer"
        assert game.result is not None
        assert (tmp_path / "Newcomer.token").exists()
    finally:
        bot.kill()
        server.stop()
