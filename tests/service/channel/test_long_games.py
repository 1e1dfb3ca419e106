"""Small requests to a long game: no answer and no work grows with the log."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain import game as aggregate
from service.games import games as use_cases
from service.log.game_log import GameLog
from tests.support import clocks
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Service, done, in_process, problem
from tests.support.long_rounds import long_round

pytestmark = pytest.mark.anyio

EVENTS, MANY = 300, 700
KEY = {"Idempotency-Key": "early"}


class Work:
    """What the service did: redacted events, and rows that it read from the log."""

    def __init__(self) -> None:
        self.redacted = 0
        self.rows = 0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    work, redact, read = Work(), aggregate.redact, GameLog.read

    def redacting(*arguments: Any) -> Any:
        work.redacted += 1
        return redact(*arguments)

    async def reading(store: GameLog, *arguments: Any) -> Any:
        rows = await read(store, *arguments)
        work.rows += len(rows)
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(aggregate, "redact", redacting)
        patch.setattr(GameLog, "read", reading)
        yield work


@pytest.fixture(scope="module")
async def long(service: Service) -> AsyncIterator[tuple[Caller, str]]:
    """A game with a long round, and its player. Its first move has a key."""
    ann = await service.guest("Ann")
    game = await ann.open("skyjo", 2, hotseat=True)
    first = (await ann.moves(game))[0]
    done(await ann.post(f"{game}/moves", first, headers=KEY))
    await long_round(ann, game, EVENTS)
    yield ann, game


async def repeated(ann: Caller, game: str) -> Any:
    first = {"type": "flip", "slot": 0}
    return await ann.post(f"{game}/moves", first, headers=KEY | {"Prefer": "return=minimal"})


REQUESTS: dict[str, Callable[[Caller, str], Any]] = {
    "a stale move": lambda ann, game: ann.post(f"{game}/moves", {"type": "draw"}, headers={"If-Match": '"1.0"'}),
    "a repeated move": repeated,
    "the game": lambda ann, game: ann.get(game),
    "the game as a bystander": lambda ann, game: ann.get(game, as_="bystander"),
    "legal moves": lambda ann, game: ann.get(f"{game}/moves"),
    "an old page": lambda ann, game: ann.get(f"{game}/events", limit=1),
    "a late page": lambda ann, game: ann.get(f"{game}/events", after=EVENTS - 50, limit=1),
    "an undo that is refused": lambda ann, game: ann.delete(f"{game}/moves/2"),
    "a vote that is refused": lambda ann, game: ann.post(f"{game}/votes", {"on": "undo", "yes": False}),
}


@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_small_request_to_a_long_game_costs_little(
    long: tuple[Caller, str], request_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, game = long
    send = REQUESTS[request_]
    await send(ann, game)  # views are read once
    with counted(monkeypatch) as work:
        answer = await send(ann, game)
    assert answer.status_code < 500
    assert len(answer.content) < 32_768
    assert work.redacted <= use_cases.MAX_MISSED
    assert work.rows <= 2 * use_cases.MAX_MISSED


async def test_stale_moves_over_a_channel_cost_little(
    long: tuple[Caller, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, path = long
    game = game_name(path)
    async with channel(ann) as mine:
        with counted(monkeypatch) as work:
            for version in range(1, 21):
                found = await mine.problem(
                    412, "stale-decision", "move", game=game, move={"type": "draw"}, version=version
                )
                assert found["missed"][0]["version"] == version + 1
        assert sum(map(len, mine.texts)) < 20 * 32_768
    assert work.redacted <= 20 * use_cases.MAX_MISSED
    assert work.rows <= 20 * use_cases.MAX_MISSED


async def test_long_reads_take_turns(long: tuple[Caller, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One at a time, and another game waits for one of them only; those that would wait too long are refused."""
    monkeypatch.setattr(use_cases, "LONG", 5)
    ann, game = long
    other = await ann.open("skyjo", 2, hotseat=True)
    await long_round(ann, other, 12)
    read, reading = GameLog.read, list[int]()

    async def one_at_a_time(store: GameLog, stream: str, after: int, upto: int) -> Any:
        if upto - after < use_cases.LONG:
            return await read(store, stream, after, upto)
        reading.append(upto)
        assert reading == [upto]
        await asyncio.sleep(0.02)
        return await read(store, stream, after, reading.pop())

    monkeypatch.setattr(GameLog, "read", one_at_a_time)
    many = [asyncio.create_task(ann.get(game, at=number)) for number in range(10, 40)]
    await asyncio.sleep(0.01)
    last = await ann.get(other, at=7)
    assert done(last)["version"] == 7
    answers = await asyncio.gather(*many)
    refused = [answer for answer in answers if answer.status_code == 429]
    assert 10 <= len(refused) < 20
    problem(refused[0], 429, "too-many-requests")
    assert {done(answer)["version"] for answer in answers if answer not in refused} <= {*range(10, 40)}


# --- what reads the whole log ---------------------------------------------------------------------------------------

WHOLE: dict[str, Callable[[Caller, str], Any]] = {
    "the record": lambda ann, game: ann.get(f"{game}/record"),
    "the audit": lambda ann, game: ann.get(f"{game}/audit"),
    "the film": lambda ann, game: ann.get(f"{game}/film"),
    "an old version": lambda ann, game: ann.get(game, at=40, as_="all"),
    "a branch": lambda ann, game: ann.post(f"{game}/branches", {"at": 40}),
}


CHANGES: dict[str, Callable[[Caller, str], Any]] = {
    "leaving": lambda ann, game: ann.delete(f"{game}/seats/0", running="true"),
    "a time-out": lambda ann, game: ann.post(f"{game}/votes", {"on": "abort", "yes": True}),
}


@contextmanager
def calls_on_the_event_loop() -> Iterator[Callable[[], int]]:
    """Counts what this thread calls, which runs the event loop."""
    called = 0

    def profile(*_: Any) -> None:
        nonlocal called
        called += 1

    sys.setprofile(profile)
    try:
        yield lambda: called
    finally:
        sys.setprofile(None)


@pytest.mark.checked
async def test_what_reads_a_whole_log_leaves_the_event_loop_to_others(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs the event loop about as much in a long game as in a short one."""
    clocks.no_sweeps(monkeypatch)
    (wall,) = [*clocks.set_forward(monkeypatch)]
    made: list[dict[str, int]] = []
    async with in_process(database) as house:
        ann, bob = await house.guests("Ann", "Bob")
        for events in (50, MANY):
            game = await ann.open("skyjo", 2, hotseat=True)
            await long_round(ann, game, events)
            done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
            games = {}
            for name in CHANGES:
                games[name] = await house.table("skyjo", [ann, bob], clock={"bank": 60}, absent="random/1")
                await long_round(ann, games[name], events, bob)
            requests = {name: partial(send, ann, game) for name, send in WHOLE.items()}
            requests |= {name: partial(send, ann, games[name]) for name, send in CHANGES.items()}
            made.append({})
            for name, send in requests.items():
                wall.sleep(100 if name == "a time-out" else 0)
                with calls_on_the_event_loop() as called:
                    answer = await send()
                assert answer.status_code in (200, 201, 403 if name == "a time-out" else 0), answer.text
                made[-1][name] = called() - len(answer.content) // 50  # a slow process sends a film in small parts
            for changed in games.values():
                assert [seat.get("gone") for seat in (await bob.look(changed))["seats"]].count(True) == 1
    short, long = made
    assert {name: (short[name], long[name]) for name in long if long[name] > short[name] + 20 * MANY} == {}
