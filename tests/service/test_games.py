"""The use cases on the real log: whoever is faster, whatever fails, every request takes effect once."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError

from domain import game
from domain.game import Player, Rules
from domain.log import Stored
from domain.rulesets import RULESETS
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import Draw, Flip, Take
from service.games import cached_game
from service.games import games as games_module
from service.games.cached_game import CachedGame
from service.games.errors import KeyReused, MoveRejected, NoSuchGame
from service.games.games import Change, Games
from service.games.idempotency import request_of
from service.store.event_store import Store
from service.store.group_commit import Unavailable

pytestmark = pytest.mark.anyio

ADA, BOB, CEM, DORA = (Player(name.lower(), name) for name in ("Ada", "Bob", "Cem", "Dora"))


class House:
    """The games as one process knows them, with requests as short as in a story."""

    def __init__(self, store: Store, *, size: int = 100, shared: bool = False) -> None:
        self.store = store
        self.games = Games(store, size=size, shared=shared)

    async def open(
        self, rules: Rules = SKYJO, seats: int = 2, *, by: Player = ADA, key: str | None = None, options: Any = None,
        **terms: Any,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        flags = {"private": False, "hotseat": False, "sit": True, **terms}
        deck, request = next(iter(rules.decks.values())), request_of(key, "open", seats, terms)
        return await self.games.open(
            rules, by, seats, options or rules.options(), deck, **flags, entropy="", request=request
        )

    async def table(self, rules: Rules = SKYJO) -> CachedGame:
        """Ada and Bob have sat down at a new game."""
        live, _ = await self.open(rules)
        await self.games.join(live, BOB, None, "", None)
        return live

    async def find(self, game_id: str, rules: Rules = SKYJO) -> CachedGame:
        return await self.games.find(rules, game_id)

    async def move(self, live: CachedGame, seat: int, chosen: Any, key: str | None = None) -> Change:
        player = live.game.players[seat]
        assert player is not None
        return await self.games.move(live, player, seat, chosen, request_of(key, "move", seat, chosen), None)

    async def any_move(self, live: CachedGame, dice: Random, key: str | None = None) -> Change:
        seat = dice.choice(live.to_act())
        return await self.move(live, seat, dice.choice(game.legal(live.rules, live.game, seat)), key)

    async def logged(self, game_id: str) -> list[Stored[Any]]:
        """The log itself. Whatever happened, it is whole: every version once, every key once, time never runs back."""
        entries: list[Stored[Any]] = await self.store.read(game_id)
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        commands = [(entry.command.player, entry.command.key) for entry in entries if entry.command]
        assert len(set(commands)) == len(commands)
        assert sorted(entry.at for entry in entries) == [entry.at for entry in entries]
        return entries


@pytest.fixture
def house(store: Store) -> House:
    return House(store)


@pytest.fixture
async def houses(open_store: Callable[[], Store]) -> tuple[House, House]:
    """Two processes on one database."""
    return House(open_store(), shared=True), House(open_store(), shared=True)


def flips(count: int = 2) -> list[tuple[int, Flip]]:
    return [(seat, Flip(slot)) for slot in range(count) for seat in range(2)]


async def ended(*requests: Any) -> tuple[list[Any], list[type[BaseException]]]:
    """What requests that are made at once are answered, and how the refused ones are refused."""
    answers = await asyncio.gather(*requests, return_exceptions=True)
    failed = [type(answer) for answer in answers if isinstance(answer, BaseException)]
    return [answer for answer in answers if not isinstance(answer, BaseException)], failed


def in_turn(live: CachedGame) -> int:
    (seat,) = live.to_act()
    return seat


# --- who is faster ------------------------------------------------------------------------------------------------


async def test_two_seats_may_choose_at_once_in_two_processes(houses: tuple[House, House]) -> None:
    """Both decide on the same version; one append wins, the other move is judged again and is as legal as before."""
    here, there = houses
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    for slot in range(2):
        done, failed = await ended(here.move(mine, 0, Flip(slot)), there.move(theirs, 1, Flip(slot)))
        assert failed == []
        assert sorted(change.entries[0].by for change in done) == [0, 1]
    mine, theirs = await here.find(mine.game.id), await there.find(mine.game.id)
    assert (mine.game, mine.head) == (theirs.game, theirs.head)
    assert mine.game.state.phase == "choose"


async def test_of_two_moves_that_exclude_each_other_one_is_refused(houses: tuple[House, House]) -> None:
    here, there = houses
    mine = await here.table()
    for seat, flip in flips():
        await here.move(mine, seat, flip)
    theirs, seat = await there.find(mine.game.id), in_turn(mine)
    (won,), failed = await ended(here.move(mine, seat, Draw()), there.move(theirs, seat, Take()))
    assert failed == [MoveRejected]
    assert (await here.logged(mine.game.id))[won.entries[0].version - 1 :] == list(won.entries)


async def test_who_decided_on_an_old_table_is_told_what_he_may_do_on_the_new_one(houses: tuple[House, House]) -> None:
    here, there = houses
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    await here.move(mine, 0, Flip(0))
    with pytest.raises(MoveRejected) as refused:
        await there.move(theirs, 0, Flip(0))
    assert refused.value.version == mine.game.version
    assert refused.value.choice_version == mine.choice_version(0)
    assert refused.value.legal_moves == game.legal(SKYJO, mine.game, 0)


@pytest.mark.parametrize("slot", [0, 99])
async def test_who_has_stood_up_elsewhere_moves_for_nobody(houses: tuple[House, House], slot: int) -> None:
    """Nor is he told what whoever sits there now may do."""
    here, there = houses
    live, _ = await here.open(seats=3)
    same = await there.find(live.game.id)
    await there.games.join(same, BOB, 1, "", None)
    await there.games.leave(same, ADA, 0, None)
    for player, seat in ((CEM, 0), (DORA, 2)):
        await there.games.join(same, player, seat, "", None)
    assert same.game.status == "running"
    with pytest.raises(game.NotSeated):
        await here.games.move(live, ADA, 0, Flip(slot), None, None)
    assert len(await here.logged(live.game.id)) == same.game.version


async def test_a_move_costs_no_reading_where_nothing_has_happened_elsewhere(
    houses: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = houses
    mine, dice = await here.table(), Random(1)
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "read", None)
        for _ in range(10):
            assert here.games.running(SKYJO, mine.game.id) is mine
            await here.any_move(mine, dice)
    assert len(await here.logged(mine.game.id)) == mine.game.version


async def test_a_move_that_another_process_has_made_legal_is_legal(houses: tuple[House, House]) -> None:
    here, there = houses
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    for seat, flip in flips():
        await here.move(mine, seat, flip)
    known = theirs.game.version
    assert there.games.running(SKYJO, mine.game.id) is theirs
    await there.move(theirs, in_turn(mine), Draw())
    assert theirs.game.version > mine.game.version > known


async def test_who_repeats_a_request_elsewhere_sees_the_game_as_it_is_by_now(houses: tuple[House, House]) -> None:
    here, there = houses
    mine = await here.table()
    first = await here.move(mine, 0, Flip(0), "key")
    theirs = await there.find(mine.game.id)
    await here.move(mine, 1, Flip(0))
    assert there.games.running(SKYJO, mine.game.id) is theirs
    again = await there.move(theirs, 0, Flip(0), "key")
    assert (again.entries, again.replayed) == (first.entries, True)
    assert theirs.game.version == mine.game.version


async def test_the_same_move_twice_at_once_is_made_once(house: House) -> None:
    live = await house.table()
    (won,), failed = await ended(*(house.move(live, 0, Flip(0)) for _ in range(5)))
    assert failed == [MoveRejected] * 4
    assert await house.logged(live.game.id) == live.tail
    assert live.tail[-1] == won.entries[-1]


@pytest.mark.parametrize("processes", [1, 2])
async def test_the_same_request_twice_at_once_gets_the_same_answer_twice(
    houses: tuple[House, House], processes: int
) -> None:
    here, there = houses[0], houses[processes - 1]
    mine = await here.table()
    theirs = await there.find(mine.game.id)
    both = here.move(mine, 0, Flip(0), "key"), there.move(theirs, 0, Flip(0), "key")
    (one, other), _ = await ended(*both)
    assert one.entries == other.entries
    assert {one.replayed, other.replayed} == {True, False}
    assert len(await here.logged(mine.game.id)) == one.entries[-1].version


async def test_a_busy_table_comes_out_the_same_in_both_processes(houses: tuple[House, House]) -> None:
    """Every seat is played by two clients, through this process and that."""
    game_id, keys = (await houses[0].table()).game.id, count()

    async def play(seat: int, dice: Random) -> None:
        while (live := await (house := dice.choice(houses)).find(game_id)).game.status == "running":
            if legal := game.legal(SKYJO, live.game, seat):
                done, failed = await ended(house.move(live, seat, dice.choice(legal), str(next(keys))))
                assert done or failed == [MoveRejected]

    await asyncio.gather(*(play(seat, Random(number)) for number, seat in enumerate((0, 1, 0, 1))))
    one, other = [await house.find(game_id) for house in houses]
    assert (one.game, one.head, one.commands) == (other.game, other.head, other.commands)
    assert (await houses[0].logged(game_id))[-1].head == one.head.hex()


async def test_what_another_process_has_acknowledged_is_never_missing(
    houses: tuple[House, House], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even for somebody who asks while the game is being read, and was read too early."""
    here, there = houses
    mine = await here.table()
    load, early = there.store.load, asyncio.Event()

    async def slow(stream: str, made: Any) -> Any:
        loaded = await load(stream, made)
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


# --- the same request again ---------------------------------------------------------------------------------------


async def test_a_key_is_answered_alike_for_ever(open_store: Callable[[], Store]) -> None:
    """By the same process, by another one, after a restart, and when the game has long gone on."""
    house = House(open_store())
    live = await house.table()
    made = [await house.move(live, seat, flip, f"{seat} {flip.slot}") for seat, flip in flips()]
    for again in (house, House(open_store(), shared=True), House(open_store())):
        found = await again.find(live.game.id)
        for (seat, flip), change in zip(flips(), made, strict=True):
            assert await again.move(found, seat, flip, f"{seat} {flip.slot}") == Change(change.entries, True)
    assert len(await house.logged(live.game.id)) == live.game.version


async def test_sitting_down_and_standing_up_are_repeated_alike(house: House, open_store: Callable[[], Store]) -> None:
    live, _ = await house.open(seats=3)
    sat = await house.games.join(live, BOB, 2, "", request_of("sit", 2))
    stood = await house.games.leave(live, BOB, 2, request_of("stand", 2))
    again = House(open_store())
    found = await again.find(live.game.id)
    assert await again.games.join(found, BOB, 2, "", request_of("sit", 2)) == Change(sat.entries, True)
    assert await again.games.leave(found, BOB, 2, request_of("stand", 2)) == Change(stood.entries, True)
    assert found.game.players == (ADA, None, None)


async def test_a_key_belongs_to_one_request(house: House, open_store: Callable[[], Store]) -> None:
    live = await house.table()
    await house.move(live, 0, Flip(0), "key")
    for again in (house, House(open_store())):
        found = await again.find(live.game.id)
        with pytest.raises(KeyReused):
            await again.move(found, 0, Flip(1), "key")
    assert len(await house.logged(live.game.id)) == live.game.version


async def test_a_key_belongs_to_one_player(house: House) -> None:
    live = await house.table()
    await house.move(live, 0, Flip(0), "key")
    assert not (await house.move(live, 1, Flip(1), "key")).replayed


async def test_a_refused_request_leaves_its_key_free(house: House) -> None:
    live = await house.table()
    with pytest.raises(MoveRejected):
        await house.move(live, 0, Draw(), "key")
    assert not (await house.move(live, 0, Flip(0), "key")).replayed


# --- opening ------------------------------------------------------------------------------------------------------


async def test_racing_requests_open_one_game(houses: tuple[House, House]) -> None:
    for number in range(10):
        opened, failed = await ended(*(house.open(key=f"key {number}") for house in houses * 2))
        assert failed == []
        assert len({live.game.id for live, _ in opened}) == 1
        assert all(change.entries == opened[0][1].entries for _, change in opened)
        assert sum(not change.replayed for _, change in opened) == 1
    entries = [logged.row.value for logged in await houses[0].store.follow(0, 1000)]
    assert sum(entry.version == 1 for entry in entries) == 10


async def test_of_racing_requests_with_one_key_that_differ_one_is_served(houses: tuple[House, House]) -> None:
    here, there = houses
    ((live, _),), failed = await ended(here.open(seats=2, key="key"), there.open(seats=3, key="key"))
    assert failed == [KeyReused]
    assert (await here.logged(live.game.id))[0].event.seats == len(live.game.players)


async def test_who_opens_again_sees_what_has_happened_since(houses: tuple[House, House]) -> None:
    here, there = houses
    live, opening = await here.open(key="key")
    await there.games.join(await there.find(live.game.id), BOB, None, "", None)
    again, change = await here.open(key="key")
    assert change == Change(opening.entries, True)
    assert again.game.players == (ADA, BOB)


async def test_every_player_has_keys_of_his_own_for_opening(house: House) -> None:
    (one, _), (other, change) = await house.open(key="key"), await house.open(by=BOB, key="key")
    assert one.game.id != other.game.id
    assert not change.replayed


async def test_a_game_is_found_under_its_own_ruleset_only(house: House) -> None:
    live = await house.table()
    for rules, game_id in ((SKYJO, "no-such-game"), (replace(SKYJO, name="another"), live.game.id)):
        with pytest.raises(NoSuchGame):
            await house.find(game_id, rules)


# --- commits that do not say how they end -------------------------------------------------------------------------


class Insert:
    """The recorder's `insert_events`, which fails as told behind the real one, or waits before it."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._insert = store._log.recorder.insert_events
        self.errors: list[Exception] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        monkeypatch.setattr(store._log.recorder, "insert_events", self)

    def __call__(self, events: Sequence[Any]) -> Any:
        assert self.may_go_on.wait(10)
        inserted = self._insert(events)
        if self.errors:
            raise self.errors.pop(0)
        return inserted


async def test_a_move_that_was_recorded_all_the_same_is_found_in_the_log(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the connection broke behind the commit and the library tried again."""
    live = await house.table()
    Insert(house.store, monkeypatch).errors = [IntegrityError("the test says so")]
    change = await house.move(live, 0, Flip(0))
    assert not change.replayed
    assert (await house.logged(live.game.id))[-1] == change.entries[-1] == live.tail[-1]
    await house.move(live, 1, Flip(0))


async def test_when_it_cannot_be_found_out_the_key_tells_on_the_next_try(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await house.table()
    before = live.game.version
    Insert(house.store, monkeypatch).errors = [OperationalError("the test says so")]
    with pytest.raises(Unavailable):
        await house.move(live, 0, Flip(0), "key")
    change = await house.move(live, 0, Flip(0), "key")
    assert change.replayed
    assert [entry.version for entry in await house.logged(live.game.id)][before:] == [change.entries[0].version]


async def test_when_it_cannot_be_found_out_the_next_reader_sees_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await house.table()
    for error in (OperationalError, IntegrityError):
        before = live.game.version
        Insert(house.store, monkeypatch).errors = [error("the test says so")]
        with monkeypatch.context() as patched:
            if error is IntegrityError:  # and the log cannot be read either
                patched.setattr(house.store, "read", AsyncMock(side_effect=Unavailable))
            with pytest.raises(Unavailable):
                await house.move(live, 0, Flip(before % 2))
        assert (await house.find(live.game.id)).game.version == before + 1 == len(await house.logged(live.game.id))


@pytest.mark.parametrize("error", [OperationalError, IntegrityError])
async def test_a_game_is_not_opened_twice_either(
    house: House, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    Insert(house.store, monkeypatch).errors = [error("the test says so")]
    opened, _ = await ended(house.open(key="key"))
    (again, change) = await house.open(key="key")
    assert change.replayed
    assert all(live.game.id == again.game.id for live, _ in opened)
    assert len(await house.logged(again.game.id)) == again.game.version == 2


async def test_after_a_cancelled_request_the_next_one_finds_the_game_as_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the one that came while the append was under way."""
    live = await house.table()
    insert = Insert(house.store, monkeypatch)
    insert.may_go_on.clear()
    request = asyncio.create_task(house.move(live, 0, Flip(0), "key"))
    await asyncio.sleep(0.02)
    request.cancel()
    await asyncio.sleep(0.02)
    meanwhile = asyncio.create_task(house.find(live.game.id))
    same = asyncio.create_task(house.move(live, 0, Flip(0), "key"))
    await asyncio.sleep(0.02)
    insert.may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert (await same).replayed
    await meanwhile
    found = await house.find(live.game.id)
    assert found.tail == await house.logged(live.game.id)
    assert not (await house.move(found, 1, Flip(0))).replayed


async def test_after_a_cancelled_request_nobody_else_is_needed_to_see_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await house.table()
    insert = Insert(house.store, monkeypatch)
    insert.may_go_on.clear()
    request = asyncio.create_task(house.move(live, 0, Flip(0)))
    await asyncio.sleep(0.02)
    request.cancel()
    looked = asyncio.create_task(house.find(live.game.id))
    await asyncio.sleep(0.02)
    insert.may_go_on.set()
    await asyncio.wait([request, looked])
    await house.open()  # by the same writer, so behind the move
    assert (await house.find(live.game.id)).tail == await house.logged(live.game.id)


# --- what is kept in memory ---------------------------------------------------------------------------------------


async def test_with_room_for_one_game_many_are_played(store: Store, open_store: Callable[[], Store]) -> None:
    house = House(store, size=1)
    ids = [(await house.table()).game.id for _ in range(6)]
    most = 0

    async def play(game_id: str, dice: Random) -> None:
        nonlocal most
        for _ in range(25):
            live = await house.find(game_id)
            if live.game.status == "running":
                _, failed = await ended(house.any_move(live, dice))
                assert failed in ([], [MoveRejected])
            most = max(most, len(house.games))
            await asyncio.sleep(0)

    await asyncio.gather(*(play(game_id, Random(number)) for number, game_id in enumerate(ids * 2)))
    cold = House(open_store())
    for game_id in ids:
        warm = await house.find(game_id)
        again = await cold.find(game_id)
        assert (warm.game, warm.head, warm.commands) == (again.game, again.head, again.commands)
        assert (await house.logged(game_id))[-1].head == warm.head.hex()
        assert warm.game.version > 20
    await house.open()
    assert len(house.games) == 1


async def test_a_game_that_was_displaced_in_the_middle_of_a_request_is_still_the_same(store: Store) -> None:
    """Whoever held it goes on with it, and whoever asks for it anew must see what he does."""
    house = House(store, size=1)
    held = await house.table()
    await house.table()
    found = await house.find(held.game.id)
    await house.table()
    await house.move(held, 0, Flip(0))
    assert found.game.version == (await house.find(held.game.id)).game.version == held.game.version


async def test_a_game_that_is_being_changed_may_be_displaced(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(store, size=1)
    live = await house.table()
    other = await house.table()
    insert = Insert(store, monkeypatch)
    insert.may_go_on.clear()
    changing = asyncio.create_task(house.move(live, 0, Flip(0)))
    await asyncio.sleep(0.02)
    await house.find(other.game.id)
    found = await house.find(live.game.id)
    insert.may_go_on.set()
    await changing
    assert found.game.version == live.game.version == len(await house.logged(live.game.id))


async def test_a_first_look_at_a_game_that_goes_on_fast_does_not_disturb_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The viewer's view is being made from older entries than those in memory. He sees the game as it was then."""
    live, _ = await house.open(hotseat=True, options=SKYJO.options(target_points=1000))
    read, dice = house.store.read, Random(1)

    async def go_on() -> None:
        upto = live.game.version + 3 * cached_game.MIN_TAIL_LENGTH
        while live.game.version < upto:
            await house.any_move(live, dice)

    async def slow(*part: Any) -> Any:
        rows = await read(*part)
        if slowly.pop():
            await go_on()
        return rows

    slowly = [True, True]
    await go_on()
    asked = live.game.version
    monkeypatch.setattr(house.store, "read", slow)
    seen = await house.games.view(live, None)
    assert (seen.version, slowly) == (asked, [])
    slowly = [False]
    assert (await house.games.view(live, None)).version == live.game.version


async def test_who_looks_while_he_stands_up_does_not_see_what_the_next_one_sees(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, _ = await house.open(seats=3)
    for number in range(cached_game.MIN_TAIL_LENGTH + 1):  # so that his view has to be made from the log
        guest = Player(f"guest-{number}", "")
        await house.games.join(live, guest, 1, "", None)
        await house.games.leave(live, guest, 1, None)
    asked, read = live.game.version, house.store.read

    async def slow(*part: Any) -> Any:
        rows = await read(*part)
        if live.game.status == "waiting":
            await house.games.join(live, BOB, 1, "", None)
            await house.games.leave(live, ADA, 0, None)
            for player in (CEM, DORA):
                await house.games.join(live, player, None, "", None)
        return rows

    monkeypatch.setattr(house.store, "read", slow)
    seen = await house.games.view(live, 0)
    assert live.game.status == "running"
    assert (seen.version, seen.status, seen.state) == (asked, "waiting", None)


async def test_readers_of_one_cold_game_share_the_reading(
    house: House, open_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await house.table()
    cold = House(open_store())
    load, loads = cold.store.load, []

    async def counted(stream: str, made: Any) -> Any:
        loads.append(stream)
        return await load(stream, made)

    monkeypatch.setattr(cold.store, "load", counted)
    found = await asyncio.gather(*(cold.find(live.game.id) for _ in range(20)))
    assert len(loads) == 1
    assert all(each is found[0] for each in found)


# --- decisions and time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
@pytest.mark.parametrize("most", [False, True], ids=["fewest seats", "most seats"])
async def test_decisions_have_the_same_numbers_whether_played_or_read(house: House, rules: Rules, most: bool) -> None:
    """After every append: what was noted while the game was played, and what follows from its log up to there."""
    seats, dice = (max if most else min)(rules.seats), Random(7)
    live, _ = await house.open(rules, seats, sit=False)
    noted = {}

    def known(game: CachedGame) -> Any:
        decided = [(game.choice_version(seat), game._choice_versions.get(seat, 0)) for seat in range(seats)]
        return decided, game.to_act(), game.game, game.head, game.created_at, {**game.commands}

    def note() -> None:
        noted[live.game.version] = known(live)

    for number in range(seats):
        await house.games.join(live, Player(f"p{number}", "P"), None, "", None)
        note()
    while live.game.status == "running" and live.game.version < 400:
        await house.any_move(live, dice, key=f"key {live.game.version}")
        note()
    log = await house.store.read(live.game.id)
    assert len(noted) > 20
    for version, played in noted.items():
        assert known(CachedGame.of(rules, live.game.id, log[:version])) == played


async def test_time_never_runs_back_within_a_game(
    house: House, open_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the clock does, and whoever goes on with the game."""
    live = await house.table()
    monkeypatch.setattr(games_module, "now", lambda: "2000-01-01T00:00:00.000000Z")
    for (seat, flip), playing in zip(flips(), (house, House(open_store())) * 2, strict=True):
        await playing.move(await playing.find(live.game.id), seat, flip)
    entries = await house.logged(live.game.id)
    assert entries[-1].at == entries[live.game.version - 1].at > "2001"
