"""The use cases on a real log: with concurrent processes and failures every request takes effect exactly once."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec import UNSET

from domain import game
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Game, Rules, SeatTerms
from domain.game.commands import Join, Leave, Move
from domain.game.log import Stored
from domain.rulesets import RULESETS
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import Draw, Flip, Take
from projections.views import view
from service.games import commands as commands_module
from service.games import games as games_module
from service.games.cached_game import CachedGame
from service.games.commands import Commands
from service.games.errors import KeyReused, MoveRejected, NoSuchGame
from service.games.games import Change, Games
from service.games.idempotency import request_key
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from tests.service.conftest import on_sqlite

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]

ADA, BOB, CEM, DORA = (name.lower() for name in ("Ada", "Bob", "Cem", "Dora"))


class Process:
    """The games of one process, with short forms of the requests."""

    def __init__(self, store: GameLog, *, budget: int = 2**30, shared: bool = False) -> None:
        self.store = store
        self.games = Games(store, budget=budget, shared=shared)

    @property
    def commands(self) -> Commands:
        return Commands(self.games)

    async def open(
        self, rules: Rules = SKYJO, seats: int = 2, *, by: str = ADA, key: str | None = None, options: Any = None,
        **terms: Any,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        sit = terms.pop("sit", True)
        deck, command = next(iter(rules.decks.values())), request_key(by, key, "open", seats, sit, terms)
        return await self.commands.open(
            rules,
            by,
            seats,
            options or rules.options(),
            deck,
            game.Agreed(**terms),
            sit=sit,
            entropy="",
            key=command,
        )

    async def table(self, rules: Rules = SKYJO) -> CachedGame:
        """A new game that Ada and Bob have joined."""
        cached, _ = await self.open(rules)
        await self.commands.execute(cached, BOB, Join())
        return cached

    async def find(self, game_id: str, rules: Rules = SKYJO) -> CachedGame:
        return await self.games.find(rules, game_id)

    async def move(self, cached: CachedGame, seat: int, chosen: Any, key: str | None = None) -> Change:
        player = cached.game.players[seat]
        assert player is not None
        return await self.commands.execute(
            cached, player, Move(chosen, seat), request_key(player, key, "move", seat, chosen)
        )

    async def any_move(self, cached: CachedGame, dice: Random, key: str | None = None) -> Change:
        seat = dice.choice(cached.to_act())
        return await self.move(cached, seat, dice.choice(game.legal(cached.rules, cached.game, seat)), key)

    async def view(self, cached: CachedGame, seat: int) -> Game:
        return await self.games.view(cached, seat)

    async def logged(self, game_id: str) -> list[Stored[Any, Any]]:
        """The game's log. It is always complete: each version once, each key once, time stamps never decrease."""
        entries: list[Stored[Any, Any]] = await self.store.read(game_id)
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        commands = [(entry.command.player, entry.command.key) for entry in entries if entry.command]
        assert len(set(commands)) == len(commands)
        assert sorted(entry.at for entry in entries) == [entry.at for entry in entries]
        return entries


@pytest.fixture
def process(store: GameLog) -> Process:
    return Process(store)


@pytest.fixture
async def processes(open_store: Callable[[], GameLog]) -> tuple[Process, Process]:
    """Two processes on one database."""
    return Process(open_store(), shared=True), Process(open_store(), shared=True)


def flips(count: int = 2) -> list[tuple[int, Flip]]:
    return [(seat, Flip(slot)) for slot in range(count) for seat in range(2)]


async def ended(*requests: Any) -> tuple[list[Any], list[type[BaseException]]]:
    """The results of concurrent requests, and the types of their errors."""
    answers = await asyncio.gather(*requests, return_exceptions=True)
    failed = [type(answer) for answer in answers if isinstance(answer, BaseException)]
    return [answer for answer in answers if not isinstance(answer, BaseException)], failed


def in_turn(cached: CachedGame) -> int:
    (seat,) = cached.to_act()
    return seat


# --- concurrency --------------------------------------------------------------------------------------------------


async def test_two_seats_can_move_at_the_same_time_in_two_processes(processes: tuple[Process, Process]) -> None:
    """Both decide on the same version. One append wins; the other move is decided again and is still legal."""
    here, there = processes
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    for slot in range(2):
        done, failed = await ended(here.move(mine, 0, Flip(slot)), there.move(theirs, 1, Flip(slot)))
        assert failed == []
        assert sorted(change.entries[0].by for change in done) == [0, 1]
    mine, theirs = await here.find(mine.game.id), await there.find(mine.game.id)
    assert (mine.game, mine.head) == (theirs.game, theirs.head)
    assert mine.game.state.phase == "turn"


async def test_of_two_conflicting_moves_one_is_rejected(processes: tuple[Process, Process]) -> None:
    here, there = processes
    mine = await here.table()
    for seat, flip in flips():
        await here.move(mine, seat, flip)
    theirs, seat = await there.find(mine.game.id), in_turn(mine)
    (won,), failed = await ended(here.move(mine, seat, Draw()), there.move(theirs, seat, Take()))
    assert failed == [MoveRejected]
    assert (await here.logged(mine.game.id))[won.entries[0].version - 1 :] == list(won.entries)


async def test_a_rejected_move_carries_the_current_version_and_legal_moves(processes: tuple[Process, Process]) -> None:
    here, there = processes
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    await here.move(mine, 0, Flip(0))
    with pytest.raises(MoveRejected) as refused:
        await there.move(theirs, 0, Flip(0))
    assert refused.value.version == mine.game.version
    assert refused.value.choice_version == mine.choice_version(0)
    assert refused.value.legal_moves == game.legal(SKYJO, mine.game, 0)


@pytest.mark.parametrize("slot", [0, 99])
async def test_a_player_who_left_in_another_process_cannot_move(processes: tuple[Process, Process], slot: int) -> None:
    """The error does not reveal the legal moves of the seat's current player."""
    here, there = processes
    cached, _ = await here.open(seats=3)
    same = await there.find(cached.game.id)
    await there.commands.execute(same, BOB, Join(1))
    await there.commands.execute(same, ADA, Leave(0))
    for player, seat in ((CEM, 0), (DORA, 2)):
        await there.commands.execute(same, player, Join(seat))
    assert same.game.status == "running"
    with pytest.raises(game.NotSeated):
        await here.commands.execute(cached, ADA, Move(Flip(slot), 0))
    assert len(await here.logged(cached.game.id)) == same.game.version


async def test_a_move_does_not_read_the_log_if_no_other_process_has_appended(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = processes
    mine, dice = await here.table(), Random(1)
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "read", None)
        for _ in range(10):
            assert here.games.running(SKYJO, mine.game.id) is mine
            await here.any_move(mine, dice)
    assert len(await here.logged(mine.game.id)) == mine.game.version


async def test_a_move_is_legal_if_an_append_of_another_process_made_it_legal(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    for seat, flip in flips():
        await here.move(mine, seat, flip)
    known = theirs.game.version
    assert there.games.running(SKYJO, mine.game.id) is theirs
    await there.move(theirs, in_turn(mine), Draw())
    assert theirs.game.version > mine.game.version > known


async def test_a_request_repeated_in_another_process_shows_the_current_game(processes: tuple[Process, Process]) -> None:
    here, there = processes
    mine = await here.table()
    first = await here.move(mine, 0, Flip(0), "key")
    theirs = await there.find(mine.game.id)
    await here.move(mine, 1, Flip(0))
    assert there.games.running(SKYJO, mine.game.id) is theirs
    again = await there.move(theirs, 0, Flip(0), "key")
    assert (again.entries, again.replayed) == (first.entries, True)
    assert theirs.game.version == mine.game.version


async def test_the_same_move_in_concurrent_requests_is_made_once(process: Process) -> None:
    cached = await process.table()
    (won,), failed = await ended(*(process.move(cached, 0, Flip(0)) for _ in range(5)))
    assert failed == [MoveRejected] * 4
    assert await process.logged(cached.game.id) == cached.tail
    assert cached.tail[-1] == won.entries[-1]


@pytest.mark.parametrize("senders", [1, 2])
async def test_concurrent_requests_with_the_same_key_get_the_same_result(
    processes: tuple[Process, Process], senders: int
) -> None:
    here, there = processes[0], processes[senders - 1]
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    both = here.move(mine, 0, Flip(0), "key"), there.move(theirs, 0, Flip(0), "key")
    (one, other), _ = await ended(*both)
    assert one.entries == other.entries
    assert {one.replayed, other.replayed} == {True, False}
    assert len(await here.logged(mine.game.id)) == one.entries[-1].version


async def test_both_processes_end_with_the_same_game(processes: tuple[Process, Process]) -> None:
    """Two clients play each seat, through either process."""
    game_id, keys = (await processes[0].table()).game.id, count()

    async def play(seat: int, dice: Random) -> None:
        while (cached := await (process := dice.choice(processes)).find(game_id)).game.status == "running":
            if legal := game.legal(SKYJO, cached.game, seat):
                done, failed = await ended(process.move(cached, seat, dice.choice(legal), str(next(keys))))
                assert done or failed == [MoveRejected]

    await asyncio.gather(*(play(seat, Random(number)) for number, seat in enumerate((0, 1, 0, 1))))
    one, other = [await process.find(game_id) for process in processes]
    assert (one.game, one.head, one.commands) == (other.game, other.head, other.commands)
    assert (await processes[0].logged(game_id))[-1].head == one.head.hex()


async def test_acknowledged_moves_of_another_process_are_never_missing(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even for a request that arrives while a read that started earlier is in progress."""
    here, there = processes
    mine = await here.table()
    load, early = there.store.load, asyncio.Event()

    async def slow(*part: Any) -> Any:
        loaded = await load(*part)
        await early.wait()
        return loaded

    monkeypatch.setattr(there.store, "load", slow)
    first = asyncio.create_task(there.find(mine.game.id))
    await asyncio.sleep(0.05)
    await here.move(mine, 0, Flip(0))
    second = asyncio.create_task(there.find(mine.game.id))
    await asyncio.sleep(0.05)
    early.set()
    await first
    assert (await second).game.version == mine.game.version


# --- idempotency --------------------------------------------------------------------------------------------------


async def test_a_repeated_request_always_gets_the_first_result(open_store: Callable[[], GameLog]) -> None:
    """From the same process, from another one, after a restart, and at later versions of the game."""
    process = Process(open_store())
    cached = await process.table()
    made = [await process.move(cached, seat, flip, f"{seat} {flip.slot}") for seat, flip in flips()]
    for again in (process, Process(open_store(), shared=True), Process(open_store())):
        found = await again.find(cached.game.id)
        for (seat, flip), change in zip(flips(), made, strict=True):
            assert await again.move(found, seat, flip, f"{seat} {flip.slot}") == Change(change.entries, True)
    assert len(await process.logged(cached.game.id)) == cached.game.version


async def test_repeated_requests_to_join_and_leave_get_the_first_result(
    process: Process, open_store: Callable[[], GameLog]
) -> None:
    cached, _ = await process.open(seats=3)
    sat = await process.commands.execute(cached, BOB, Join(2), request_key(BOB, "sit", 2))
    stood = await process.commands.execute(cached, BOB, Leave(2), request_key(BOB, "stand", 2))
    again = Process(open_store())
    found = await again.find(cached.game.id)
    assert await again.commands.execute(found, BOB, Join(2), request_key(BOB, "sit", 2)) == Change(sat.entries, True)
    assert await again.commands.execute(found, BOB, Leave(2), request_key(BOB, "stand", 2)) == Change(
        stood.entries, True
    )
    assert found.game.players == (ADA, None, None)


async def test_a_key_cannot_be_used_for_another_request(process: Process, open_store: Callable[[], GameLog]) -> None:
    cached = await process.table()
    await process.move(cached, 0, Flip(0), "key")
    for again in (process, Process(open_store())):
        found = await again.find(cached.game.id)
        with pytest.raises(KeyReused):
            await again.move(found, 0, Flip(1), "key")
    assert len(await process.logged(cached.game.id)) == cached.game.version


async def test_two_players_can_use_the_same_key(process: Process) -> None:
    cached = await process.table()
    await process.move(cached, 0, Flip(0), "key")
    assert not (await process.move(cached, 1, Flip(1), "key")).replayed


async def test_the_key_of_a_rejected_request_can_be_used_again(process: Process) -> None:
    cached = await process.table()
    with pytest.raises(MoveRejected):
        await process.move(cached, 0, Draw(), "key")
    assert not (await process.move(cached, 0, Flip(0), "key")).replayed


# --- opening ------------------------------------------------------------------------------------------------------


async def test_concurrent_requests_with_the_same_key_open_one_game(processes: tuple[Process, Process]) -> None:
    for number in range(10):
        opened, failed = await ended(*(process.open(key=f"key {number}") for process in processes * 2))
        assert failed == []
        assert len({cached.game.id for cached, _ in opened}) == 1
        assert all(change.entries == opened[0][1].entries for _, change in opened)
        assert sum(not change.replayed for _, change in opened) == 1
    entries = [logged.row.value for logged in await processes[0].store.follow(0, 1000)]
    assert sum(entry.version == 1 for entry in entries) == 10


async def test_of_different_concurrent_requests_with_the_same_key_one_succeeds(
    processes: tuple[Process, Process],
) -> None:
    here, there = processes
    ((cached, _),), failed = await ended(here.open(seats=2, key="key"), there.open(seats=3, key="key"))
    assert failed == [KeyReused]
    assert (await here.logged(cached.game.id))[0].event.seats == len(cached.game.players)


async def test_a_repeated_opening_shows_the_current_game(processes: tuple[Process, Process]) -> None:
    here, there = processes
    cached, opening = await here.open(key="key")
    await there.commands.execute(await there.find(cached.game.id), BOB, Join())
    again, change = await here.open(key="key")
    assert change == Change(opening.entries, True)
    assert again.game.players == (ADA, BOB)


async def test_two_players_can_open_games_with_the_same_key(process: Process) -> None:
    (one, _), (other, change) = await process.open(key="key"), await process.open(by=BOB, key="key")
    assert one.game.id != other.game.id
    assert not change.replayed


async def test_the_same_move_at_the_same_time_is_not_taken_for_an_own_one(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that had gone ahead gives all appends the same time, so equal moves have equal heads. A second request
    for a move that is made already is refused. Otherwise its repetition would not find its key."""
    here, there = processes
    cached = await here.table()
    for seat, chosen in flips():
        await here.move(cached, seat, chosen)
    monkeypatch.setattr(games_module, "now", lambda: cached.tail[-1].at)
    (seat,) = (await here.find(cached.game.id)).to_act()
    behind = await there.find(cached.game.id)
    await here.move(cached, seat, Draw(), "one")
    with pytest.raises(MoveRejected):
        await there.move(behind, seat, Draw(), "other")
    assert (await there.move(await there.find(cached.game.id), seat, Draw(), "one")).replayed
    assert "other" not in [entry.command.key for entry in await here.logged(cached.game.id) if entry.command]


async def test_a_game_is_found_only_under_its_own_ruleset(process: Process) -> None:
    cached = await process.table()
    for rules, game_id in ((SKYJO, "no-such-game"), (replace(SKYJO, name="another"), cached.game.id)):
        with pytest.raises(NoSuchGame):
            await process.find(game_id, rules)


# --- choice versions and time -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
@pytest.mark.parametrize("most", [False, True], ids=["fewest seats", "most seats"])
async def test_choice_versions_are_the_same_whether_played_or_loaded(
    process: Process, rules: Rules, most: bool
) -> None:
    """Compares, after every append, the played game with one that is loaded from its log up to there."""
    seats, dice = (max if most else min)(rules.seats), Random(7)
    cached, _ = await process.open(rules, seats, sit=False)
    noted = {}

    def known(game: CachedGame) -> Any:
        decided = [(game.choice_version(seat), game._choice_versions.get(seat, 0)) for seat in range(seats)]
        return decided, game.to_act(), game.game, game.head, game.created_at, {**game.commands}

    def note() -> None:
        noted[cached.game.version] = known(cached)

    for number in range(seats):
        await process.commands.execute(cached, f"p{number}", Join())
        note()
    while cached.game.status == "running" and cached.game.version < 400:
        await process.any_move(cached, dice, key=f"key {cached.game.version}")
        note()
    log = await process.store.read(cached.game.id)
    assert len(noted) > seats + 5
    for version, played in noted.items():
        assert known(CachedGame.of(rules, cached.game.id, log[:version])) == played


async def test_time_stamps_never_decrease_within_a_game(
    process: Process, open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the clock is set back or another process continues the game."""
    cached = await process.table()
    monkeypatch.setattr(games_module, "now", lambda: "2000-01-01T00:00:00.000000Z")
    for (seat, flip), playing in zip(flips(), (process, Process(open_store())) * 2, strict=True):
        await playing.move(await playing.find(cached.game.id), seat, flip)
    entries = await process.logged(cached.game.id)
    assert entries[-1].at == entries[cached.game.version - 1].at > "2001"


# --- bots ---------------------------------------------------------------------------------------------------------

BOT = SeatTerms(bot="careful/1")


async def against_bots(process: Process, bots: int = 2) -> CachedGame:
    """Ada has the last seat."""
    places = (*[BOT] * bots, SeatTerms(player=ADA))
    cached, _ = await process.open(seats=bots + 1, places=places, absent="careful/1")
    return cached


@on_sqlite
async def test_other_tasks_get_their_turn_between_the_choices_of_bots(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the game is shown as it was."""
    monkeypatch.setattr(commands_module, "BOTS_AT_ONCE", 0.0)
    cached, dice, turns, moving, most = await against_bots(process, 7), Random(1), 0, True, 0

    async def watch() -> None:
        nonlocal turns
        while moving:
            assert (cached.game.version, cached.to_act()) in ((shown, acting), (cached.tail[-1].version, (7,)))
            turns += 1
            await asyncio.sleep(0)

    for _ in range(6):
        shown, acting, turns, moving = cached.game.version, cached.to_act(), 0, True
        watching = asyncio.create_task(watch())
        change = await process.any_move(cached, dice)
        moving = False
        await watching
        chosen = sum(entry.move is not UNSET for entry in change.entries) - 1
        assert turns >= chosen
        most = max(most, chosen)
    assert most >= 7


@on_sqlite
async def test_choices_of_bots_that_are_not_committed_leave_no_trace(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in the views in memory nor in later choices: every choice follows from the log."""
    cached, dice = await against_bots(process), Random(2)
    for number in range(120):
        if cached.game.status != "running":
            break
        if number % 5 == 4:
            before = {seat: cached.view(seat) for seat in range(3)}
            with monkeypatch.context() as patched:
                patched.setattr(process.store, "commit", AsyncMock(side_effect=Unavailable))
                with pytest.raises(Unavailable):
                    await process.any_move(cached, dice)
            assert {seat: cached.view(seat) for seat in range(3)} == before
        await process.any_move(cached, dice)
    log = await process.logged(cached.game.id)
    checks = {check.name: check.ok for check in verify(record.of(cached.game.id, log), running=True)}
    assert checks["bots"] is True and False not in checks.values()


@on_sqlite
async def test_the_views_of_bots_are_folded_when_a_game_is_loaded_and_stay_up_to_date(
    process: Process, open_store: Callable[[], GameLog]
) -> None:
    """So a move reads nothing, however long the game is."""
    cached, dice = await against_bots(process), Random(3)
    other = Process(open_store())
    for _ in range(10):
        await process.any_move(cached, dice)
    loaded = await other.find(cached.game.id)
    other.store.read = AsyncMock(side_effect=AssertionError("the log was read"))  # type: ignore[method-assign]
    for _ in range(40):
        if loaded.game.status != "running":
            break
        await other.any_move(loaded, dice)
        for seat in range(2):
            log = await process.store.read(loaded.game.id)
            assert loaded.view(seat) == view(loaded.rules, game.Game(loaded.game.id), log, seat)
