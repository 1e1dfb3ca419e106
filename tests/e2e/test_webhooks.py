"""Deliveries survive the death of the process that delivers: it is killed while games are played, again and again.

Everything that is due arrives, and to a receiver that remembers ids each arrives once. What is due follows from the
logs of the games. Claims of a killed process end after 20 seconds: its successor's clock is set forward.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.support.clients import Caller, Json, Server, done, play, served
from tests.support.forked import run_command
from tests.support.receivers import NETWORKS, Deliverers, Received, Receiver, receiving
from tests.support.servers import free_port

pytestmark = [pytest.mark.anyio, pytest.mark.by_default("sqlite")]

GAMES = 2
MOST = 8
"""Deaths at most: with more, the clock of a successor is ahead by more than the five minutes that receivers accept."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "games.db") if request.param == "sqlite" else request.getfixturevalue("migrated_url")


@contextmanager
def deliverers(folder: Path, **given: Any) -> Iterator[Deliverers]:
    made = Deliverers(folder, **given)
    try:
        yield made
    finally:
        made.abandon()


def due(game: str, entries: Sequence[Json], player: str, seat: int) -> Counter[tuple[str, int, str, str | None]]:
    """What a webhook of the player at the seat gets of the game: by its log."""
    found: Counter[tuple[str, int, str, str | None]] = Counter()
    before: list[int] = []
    waiting: list[str] = []
    for entry in entries:
        kind = {"begun": "game.begun", "ended": "game.over", "gone": "game.gone"}.get(entry["event"]["type"])
        waiting += [kind] if kind else []
        if entry["more"]:
            continue
        found.update((game, entry["version"], each, None) for each in waiting)
        if seat in entry["acting"] and seat not in before:
            found[game, entry["version"], "game.your_turn", player] += 1
        before, waiting = entry["acting"], []
    return found


def content(each: Received) -> tuple[str, int, str, str | None]:
    data = each.json["data"]
    return data["game"]["url"], data["version"], each.type, data.get("player")


@pytest.mark.checked
async def test_everything_that_is_due_arrives_once_for_who_remembers_ids(tmp_path: Path, database: str):
    given = {"webhook_networks": NETWORKS, "secret": "x" * 32, "rate_limit": "off", "access_log": False}
    server = Server(database, output=tmp_path / "server", **given)
    dice = Random(7)
    try:
        port = free_port()
        with deliverers(tmp_path, database=database, deliver_port=port, **given) as process:
            async with served(server.url) as service, receiving() as receiver:
                ann, bob = await service.guests("Ann", "Bob")

                def is_first(each: Received) -> bool:
                    return all(each.id != other.id for other in receiver.received)

                hook = done(await ann.post("/v1/webhooks", {"url": receiver.url}), 201)
                await receiver.until(lambda: bool(receiver.received), 60)
                await is_live(ann, hook)
                receiver.answer = lambda each: 500 if is_first(each) and dice.random() < 0.1 else 204
                games = [await service.table("skyjo", [ann, bob]) for _ in range(GAMES)]
                playing = asyncio.gather(*(to_the_end([ann, bob], game, Random(n)) for n, game in enumerate(games)))
                while not playing.done() and process.killed < MOST:
                    seen = len(receiver.received)
                    more = asyncio.create_task(receiver.until(lambda n=seen: len(receiver.received) > n + 5, 120))
                    await asyncio.wait([more, playing], return_when=asyncio.FIRST_COMPLETED)
                    more.cancel()
                    process.kill()
                await playing
                receiver.answer = lambda _: 204
                expected: Counter[Any] = Counter()
                for game in games:
                    expected += due(game, await ann.events(game), ann.id, 0)
                await all_arrive(receiver, expected, process)
                served_metrics = (await metrics(port)).text
                process.stop()
    finally:
        server.stop()
    assert process.killed >= 2
    assert re.search(r'(?m)^stammtisch_webhooks{status="live"} 1.0$', served_metrics)
    assert re.search(r"(?m)^stammtisch_webhook_log_rows_total [\d.]+$", served_metrics)
    assert Counter(content(each) for each in receiver.events()) == expected
    assert set(expected.values()) == {1}
    assert len({each.id for each in receiver.events()}) == expected.total()
    bodies = {each.id: each.body for each in receiver.received}
    assert all(each.body == bodies[each.id] for each in receiver.received), "each attempt sends the same"
    for each in receiver.received:
        each.verify(hook["secret"])


async def is_live(owner: Caller, hook: Json) -> None:
    async with asyncio.timeout(60):
        while done(await owner.get(f"/v1/webhooks/{hook['id']}"))["status"] != "live":  # noqa: ASYNC110 - HTTP sends no notification
            await asyncio.sleep(0.05)


async def metrics(port: int) -> httpx.Response:
    """What the deliverer serves, as soon as it does."""
    async with asyncio.timeout(60), httpx.AsyncClient() as http:
        while True:
            try:
                return await http.get(f"http://127.0.0.1:{port}/metrics")
            except httpx.ConnectError:
                await asyncio.sleep(0.1)


async def to_the_end(players: Sequence[Caller], game: str, dice: Random) -> None:
    async for _ in play(players, game, dice):
        pass


async def all_arrive(receiver: Receiver, expected: Counter[Any], process: Deliverers) -> None:
    """Wait for everything; set the clock forward, because attempts that failed are postponed."""

    def is_complete() -> bool:
        return len(receiver.events()) >= expected.total()

    for _ in range(20):
        if not is_complete():
            try:
                await receiver.until(is_complete, 4)
            except TimeoutError:
                process.kill()
    assert is_complete(), expected - Counter(content(each) for each in receiver.events())


def test_what_it_needs_is_checked_at_the_start(tmp_path: Path) -> None:
    missing = {"STAMMTISCH_DATABASE": str(tmp_path / "games.db"), "STAMMTISCH_SECRET": "x" * 32}
    for given, reason in (({}, "there is no database"), ({"STAMMTISCH_WEBHOOK_NETWORKS": "1.2.3.4/40"}, "NETWORKS")):
        ended = run_command("deliver", environment=os.environ | missing | given)
        assert ended.returncode == 2
        assert reason in ended.stderr
        assert "Traceback" not in ended.stderr
    ended = run_command("serve", "--port", "0", environment=os.environ | missing | given)
    assert (ended.returncode, "NETWORKS" in ended.stderr) == (2, True)
