"""The arena waits for bots over HTTP: time to think, another question after a bad answer, many games at once, and runs
that go on after a crash."""

import json
from collections.abc import Callable
from contextlib import suppress
from email.message import Message
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from time import sleep
from typing import Any
from urllib.error import HTTPError

import pytest

from agents.arena.boards import Arena, Field, Terms, named_apart
from agents.arena.journal import Journal
from agents.arena.statistics import standings
from agents.external import SHORTEST_PAUSE, Manners, pause
from domain.rulesets import RULESETS
from service.__main__ import main
from tests.support.served_bots import Answering, Served

pytestmark = pytest.mark.waits

Serve = Callable[[Answering], Served]
FIRST = b'{"index":0}'
BAD = b'{"index":999}'


def arena(url: str, manners: Manners, journal: Journal | None = None) -> Arena:
    """One board of SCOUT of the bot and a house player."""
    rules = RULESETS["scout"]
    terms = Terms(rules=rules.rules, options={}, seats=2, bots=named_apart((url, "careful")), seed=0)
    return Arena(terms, (Field(rules, terms, manners=manners, journal=journal).play(0).board,))


def forfeits(found: Arena, url: str) -> int:
    return next(each.forfeits for each in standings(found) if each.bot == url)


def replaced(found: Arena) -> int:
    return sum(sum(game.replaced or ()) for board in found.boards for game in board.games)


def test_a_bot_is_asked_again_with_the_reason(serve: Serve) -> None:
    bot = serve(lambda asked: FIRST if "refused" in asked else BAD)
    found = arena(bot.url, Manners(think=30, retries=1))
    assert forfeits(found, bot.url) == replaced(found) == 0
    again = [asked for asked in bot.asked if "refused" in asked]
    assert 2 * len(again) == len(bot.asked)
    assert {asked["refused"] for asked in again} == {"There is no legal move 999."}


def test_a_bot_that_errs_now_and_then_plays_on_until_its_strikes_are_used_up(serve: Serve) -> None:
    """Each choice without a legal answer is made for it and counted; the last strike forfeits the game."""
    bot = serve(lambda asked: BAD if len(asked["seen"]) % 2 else FIRST)
    patient = arena(bot.url, Manners(think=30, strikes=1000))
    assert forfeits(patient, bot.url) == 0 and replaced(patient) > 2
    strict = arena(bot.url, Manners(think=30, strikes=2))
    assert forfeits(strict, bot.url) == 2 and replaced(strict) == 4


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_bot_is_waited_for_within_its_time(serve: Serve, status: int) -> None:
    """Not an attempt: without retries it still plays."""
    counts: dict[str, int] = {}

    def answer(asked: dict[str, Any]) -> bytes | tuple[int, bytes]:
        key = json.dumps(asked["view"])
        counts[key] = counts.get(key, 0) + 1
        return FIRST if counts[key] > 2 else (status, b"busy")

    bot = serve(answer)
    assert replaced(arena(bot.url, Manners(think=60))) == 0


@pytest.mark.parametrize(("value", "seconds"), [("nan", SHORTEST_PAUSE), ("-1", SHORTEST_PAUSE), ("2", 2), ("soon", 1)])
def test_a_pause_is_a_time(value: str, seconds: float) -> None:
    headers = Message()
    headers["Retry-After"] = value
    assert pause(HTTPError("http://bot", 503, "busy", headers, None)) == seconds


def test_a_bot_that_is_busy_for_ever_forfeits(serve: Serve) -> None:
    bot = serve(lambda _: (503, b"busy"))
    assert forfeits(arena(bot.url, Manners(think=0.3)), bot.url) == 2


class Rude(BaseRequestHandler):
    """Reads a request, and answers it badly."""

    how: str
    asked: list[bytes]

    def handle(self) -> None:
        read = b""
        while b"\r\n\r\n" not in read:
            read += self.request.recv(65_536)
        self.asked.append(read)
        head, answer = b"HTTP/1.0 200 OK\r\n\r\n", FIRST
        with suppress(OSError):  # the arena goes away
            if self.how == "huge":
                self.request.sendall(head + answer + b" " * 10**6)
            elif self.how == "torn":
                self.request.sendall(head.replace(b"\r\n\r\n", b"\r\nContent-Length: 11\r\n\r\n") + answer[:5])
            elif self.how == "dripping":
                self.request.sendall(head)
                while True:
                    self.request.sendall(b" ")
                    sleep(0.01)


@pytest.mark.parametrize(("how", "think", "attempts"), [
    ("huge", 30, 2), ("torn", 30, 2), ("closed", 30, 2), ("dripping", 0.3, 1),
])  # fmt: skip
def test_answers_that_do_not_end_or_do_not_come_are_counted_once_and_the_run_ends(
    tmp_path: Path, how: str, think: float, attempts: int
) -> None:
    """As an attempt each; after the last one of a choice the bot has forfeited. A drip uses up the whole time."""
    kind = type("Kind", (Rude,), {"how": how, "asked": []})
    with ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        found = arena(url, Manners(think=think, retries=1), Journal(tmp_path / "choices.ndjson", b"{}"))
        server.shutdown()
    assert forfeits(found, url) == replaced(found) == 2
    lines = [json.loads(line) for line in (tmp_path / "choices.ndjson").read_text().splitlines()[1:]]
    assert [line.get("attempts", 1) for line in lines] == [attempts, attempts]
    assert len(kind.asked) == 2 * attempts and all("index" not in line and line["why"] for line in lines)


@pytest.mark.parametrize("body", [b'{"index":0,"usage":{"in":812},"model":"x"}', b'{"index":0,"usage":{}}'])
def test_fields_that_the_arena_does_not_know_are_ignored(serve: Serve, tmp_path: Path, body: bytes) -> None:
    bot = serve(lambda _: body)
    file = tmp_path / "choices.ndjson"
    assert replaced(arena(bot.url, Manners(think=30), Journal(file, b"{}"))) == 0
    _, *lines = file.read_text().splitlines()
    assert len(lines) == len(bot.asked)
    assert all(json.loads(line).get("usage", {}) == json.loads(body)["usage"] for line in lines)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_bot_gets_the_table_as_text_where_the_run_wants_it(serve: Serve, language: str) -> None:
    bot = serve(lambda _: FIRST)
    arena(bot.url, Manners(think=30, text=language))
    says = {"en": "Your choice: ", "de": "Du bist dran: "}[language]
    assert all(says in asked["text"] for asked in bot.asked)


def run(url: str, folder: Path, *more: str) -> int:
    return main(
        ["arena", "scout", "--bots", url, "careful", "--boards", "3", "--think", "60", "--report", str(folder), *more]
    )


def test_games_are_played_at_once(serve: Serve, tmp_path: Path) -> None:
    """No question is answered before four are open, which is impossible one by one. The results are the same."""
    open_questions, four = [0], Event()

    def answer(_: dict[str, Any]) -> bytes:
        open_questions[0] += 1
        if open_questions[0] == 4:
            four.set()
        return FIRST if four.wait(60) else BAD

    bot = serve(answer)
    assert run(bot.url, tmp_path / "many", "--at-once", "6") == 0
    assert run(bot.url, tmp_path / "one") == 0
    many, one = ((tmp_path / name / "results.json").read_bytes() for name in ("many", "one"))
    assert many == one


@pytest.mark.by_default("[0.3]")
@pytest.mark.parametrize("share", [0, 0.3, 0.9])
def test_a_run_that_was_killed_goes_on_and_asks_nothing_twice(serve: Serve, tmp_path: Path, share: float) -> None:
    """A killed run leaves the first lines of its journal, the last of them torn."""
    bot = serve(lambda _: FIRST)
    assert run(bot.url, tmp_path / "whole") == 0
    questions = len(bot.asked)
    written = (tmp_path / "whole" / "choices.ndjson").read_bytes()
    torn = written[: max(int(len(written) * share), written.index(b"\n") + 1)]
    folders = tmp_path / "whole", tmp_path / "torn"
    folders[1].mkdir()
    (folders[1] / "choices.ndjson").write_bytes(torn)
    bot.asked.clear()
    assert run(bot.url, tmp_path / "torn", "--resume") == 0
    assert len(bot.asked) == questions - (torn.count(b"\n") - 1)
    whole, again = ([folder / name for name in ("results.json", "choices.ndjson")] for folder in folders)
    assert again[0].read_bytes() == whole[0].read_bytes()
    assert again[1].read_bytes().count(b"\n") == written.count(b"\n")


def test_a_journal_of_other_terms_is_refused(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = serve(lambda _: FIRST)
    assert run(bot.url, tmp_path / "run") == 0
    (tmp_path / "run" / "results.json").unlink()
    assert run(bot.url, tmp_path / "run", "--resume", "--retries", "1") == 2
    assert "other terms" in capsys.readouterr().err
    assert run(bot.url, tmp_path / "run") == 2, "only --resume writes to a folder that exists"
