"""The comparison of worlds finds every leak of a hidden card, in every kind of answer.

First faults are planted in the service, where a mistake could make them. Then every kind of answer is changed in one
world only: its status, headers, size, body. `make test` tries some of them, `make check` all.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import chain
from domain.game import log
from domain.game.log import served
from domain.ruleset import Tally
from domain.rulesets import RULESETS
from projections.players import Played
from service.api import access, event_items
from service.extensions.standings import routes as standings
from service.extensions.standings.table import Page as Standings
from service.games import commands
from service.games import games as games_module
from service.games.cached_game import CachedGame
from service.games.errors import MoveRejected
from service.games.games import Games
from service.process.metrics import Metrics
from service.rest import game_replies as replies
from service.rest.routes import lobby, players, records
from tests.campaigns.leaks.play import LOOKS, Terms
from tests.campaigns.leaks.session import FOLLOW, Turn
from tests.campaigns.leaks.worlds import Leak, World, both, compared, exchange_at_random

pytestmark = pytest.mark.anyio

RULESET = next(iter(RULESETS))
Patch = pytest.MonkeyPatch
Peek = Callable[[], int]


SOME = ("a header tells of the truth", "events are not redacted")
"""Faults that `make test` tries."""


# --- faults in the service ----------------------------------------------------------------------------------------


@pytest.fixture
def peek(monkeypatch: Patch) -> Iterator[Peek]:
    """A number derived from the full state after the last move, hidden cards included."""
    known = [0]
    advance = CachedGame.advance

    def advanced(live: CachedGame, after: Any, entries: Any) -> None:
        known[0] = digest(after.state)
        advance(live, after, entries)

    monkeypatch.setattr(CachedGame, "advance", advanced)
    yield lambda: known[0]


def digest(value: Any) -> int:
    return int.from_bytes(sha256(encode(value)).digest()[:2])


class Fault(NamedTuple):
    """What is put in the place of a function of the service, and a kind of request that must reveal it.

    `make` gets the right function, and a function that returns a number of the truth.
    """

    look: str
    place: Any
    name: str
    make: Callable[[Any, Peek], Any]


def a_version_as_it_was(*_: Any) -> Any:
    return lambda rules, start, log, _: aggregate.fold(rules, start, [entry.event for entry in log])


def the_whole_view(*_: Any) -> Any:
    async def view(self: Games, live: CachedGame, _: Any, at: int | None = None, reader: str = "") -> Any:
        return await self.truth(live, at, reader)

    return view


def whole(*_: Any) -> Any:
    """Events and moves as they are."""
    return lambda _, entry, __: served(entry, entry.event, entry.move)


def with_its_move(right: Any, _: Peek) -> Any:
    return lambda rules, entry, viewer: replace(right(rules, entry, viewer), move=entry.move)


def with_public_hash(of: Callable[[Any], bytes]) -> Callable[[Any, Peek], Any]:
    """Entries are written with the hash of these bytes."""

    def made(right: Any, _: Peek) -> Any:
        return lambda *asked: tuple(replace(each, public=sha256(of(each)).hexdigest()) for each in right(*asked))

    return made


def with_a_hint(_: Any, peek: Peek) -> Any:
    def refused(self: MoveRejected, version: int, _: Any, legal_moves: list[Any]) -> None:
        self.version, self.choice_version, self.legal_moves = version, peek(), legal_moves

    return refused


def with_items_of_the_truth(right: Any, peek: Peek) -> Any:
    return lambda *asked: replace(found := right(*asked), items=tuple(replace(one, open=peek()) for one in found.items))


FAULTS = {
    "legal moves come in an order of the truth": Fault(
        "legal moves", aggregate, "legal",
        lambda right, peek: lambda *asked: sorted(right(*asked), key=lambda move: digest([peek(), move])),
    ),
    "a decision is dated by the truth": Fault(
        "the game", CachedGame, "choice_version",
        lambda right, peek: lambda *of: None if (found := right(*of)) is None else found + peek(),
    ),
    "an ETag has a hash of the truth in it": Fault(
        "the game if it has changed", access.GameAccess, "etag",
        lambda right, peek: lambda *of: f'{right(*of)[:-1]}.{peek()}"',
    ),
    "a header tells of the truth": Fault(
        "the game if it has changed", replies, "private_headers",
        lambda right, peek: lambda tag: right(tag) | {"X-State": str(peek())},
    ),
    "an answer is as long as the truth": Fault(
        "the game without its body", replies, "encode",
        lambda _, peek: lambda value: encode(value) + b" " * (peek() % 1000),
    ),
    "an earlier version is shown as it was": Fault("an earlier version", games_module, "view", a_version_as_it_was),
    "a view is the truth": Fault("the game as a bystander", Games, "view", the_whole_view),
    "events are not redacted": Fault("the ruleset", event_items, "item", whole),  # the live streams are open anyway
    "a tally is of the truth": Fault(
        "the game with its tally", replies, "replace",
        lambda _, peek: lambda seen, **_: replace(seen, tally=Tally((peek(), 0))),
    ),
    "what was missed is not redacted": Fault("a move on a stale table", commands, "redacted", whole),
    "a public hash is of the whole event": Fault(
        "events as lines", games_module, "written", with_public_hash(lambda entry: encode(entry.event))
    ),
    "a public hash covers the move": Fault(
        "events as lines", games_module, "written",
        with_public_hash(lambda e: chain.entry(e.version, e.at, e.by, e.event, e.more, e.acting, e.move)),
    ),
    "a record shows every move": Fault("the record", log, "redacted", with_its_move),
    "a refusal has a hint": Fault("an illegal move", MoveRejected, "__init__", with_a_hint),
    "a record is whole before the end": Fault("the record", records.record, "seen", lambda *_: lambda _, it, __: it),
    "an audit tells what it has found": Fault(
        "the audit", records, "verify",
        lambda right, peek: lambda *of, **how: tuple(replace(each, version=peek()) for each in right(*of, **how)),
    ),
    "the lobby tells of the table": Fault("the lobby", lobby, "page", with_items_of_the_truth),
    "a profile tells of the table": Fault(
        "a profile", players, "activity",
        lambda right, peek: lambda *asked: replace(right(*asked), games=(Played(RULESET, "running", peek()),)),
    ),
    "standings tell of the table": Fault(
        "the standings", standings, "page", lambda _, peek: lambda *_, **__: Standings((), f"1~1~{peek()}.0000~p")
    ),
    "metrics tell of the table": Fault(
        "the metrics", Metrics, "text", lambda right, peek: lambda self: right(self) + b"stammtisch_table %d\n" % peek()
    ),
}  # fmt: skip


def plant(fault: Fault, patch: Patch, peek: Peek) -> None:
    patch.setattr(fault.place, fault.name, fault.make(getattr(fault.place, fault.name), peek))


async def found(look: str, folder: Path, plant: Callable[[], None]) -> None:
    """Plants the fault and compares two worlds by this kind of request."""
    terms = Terms(RULESET, 2, seed=1, moves=2, looks=1, of=(look,))
    exchange = exchange_at_random(terms, Random(1))
    plant()
    ours, theirs = await both(folder, terms, exchange)
    with pytest.raises(Leak):
        compared(terms, ours, theirs)


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, id=name, marks=() if name in SOME else pytest.mark.checked) for name, fault in FAULTS.items()],
)
async def test_a_fault_that_leaks_hidden_cards_is_found(
    fault: Fault, monkeypatch: Patch, peek: Peek, tmp_path: Path
) -> None:
    await found(fault.look, tmp_path, lambda: plant(fault, monkeypatch, peek))


@pytest.mark.checked
async def test_moves_that_are_shown_to_everybody_are_found(monkeypatch: Patch, peek: Peek, tmp_path: Path) -> None:
    def everywhere() -> None:
        for place in (event_items, replies, commands, log):
            plant(Fault("", place, "redacted", with_its_move), monkeypatch, peek)

    await found("the ruleset", tmp_path, everywhere)  # the live streams are open anyway


@pytest.mark.checked
async def test_patches_that_are_made_from_the_truth_are_found(monkeypatch: Patch, tmp_path: Path) -> None:
    """Items stay as they are; the patches beside them are those of the full state."""
    item, step, known = event_items.item, event_items.patches.step, dict[int, Any]()

    def remembered(live: CachedGame, entry: Any, perspective: Any) -> Any:
        known[entry.version] = entry
        return item(live, entry, perspective)

    def planted() -> None:
        monkeypatch.setattr(event_items, "item", remembered)
        of_the_truth = lambda rules, seen, _: step(rules, seen, known[seen.version + 1].event)  # noqa: E731
        monkeypatch.setattr(event_items.patches, "step", of_the_truth)

    await found("patches as lines", tmp_path, planted)


# --- changed answers --------------------------------------------------------------------------------------------

TERMS = Terms(RULESET, 3, seed=2, moves=2, looks=len(LOOKS))


@pytest.fixture(scope="module")
async def worlds(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[World, World]]:
    """Two worlds without a leak: every kind of request after each of two moves."""
    ours, theirs = await both(tmp_path_factory.mktemp("worlds"), TERMS, exchange_at_random(TERMS, Random(2)))
    assert compared(TERMS, ours, theirs)
    yield ours, theirs


def of_another_status(text: bytes) -> bytes:
    return b"418" + text[3:]


def with_another_header(text: bytes) -> bytes:
    return text.replace(b"\n", b"\nx-node: 2\n", 1)


def with_headers_in_another_order(text: bytes) -> bytes:
    status, first, *rest = text.split(b"\n")
    return b"\n".join((status, *rest, first))


def longer(text: bytes) -> bytes:
    return text + b" "


def with_another_character(text: bytes) -> bytes:
    return text[:-2] + bytes((text[-2] ^ 1,)) + text[-1:]


CHANGES = (of_another_status, with_another_header, with_headers_in_another_order, longer, with_another_character)


def changed(world: World, what: str, change: Callable[[bytes], bytes]) -> World:
    """The world with every answer of that kind changed."""

    def changed(turn: Turn) -> Turn:
        heard = (each._replace(text=change(each.text)) if each.what == what else each for each in turn.heard)
        return turn._replace(heard=tuple(heard))

    return world._replace(turns=[changed(turn) for turn in world.turns])


@pytest.mark.checked
async def test_a_bot_that_is_handed_the_truth_is_caught(tmp_path: Path, monkeypatch: Patch) -> None:
    """It chooses by everything that it is shown. Shown its view only, it is not caught."""

    def by_all_that_it_sees(state: Any, _seat: int, moves: Any, _: Any) -> int:
        return digest(state) % len(moves)

    seeing = aggregate.seeing
    monkeypatch.setitem(RULESETS[RULESET].bots, "careful/1", by_all_that_it_sees)
    table = Terms(RULESET, 3, seed=1, moves=6, looks=0, said=0, bots=2)
    exchange = exchange_at_random(table, Random(4))
    (tmp_path / "blind").mkdir()
    assert compared(table, *await both(tmp_path / "blind", table, exchange)) > 0
    monkeypatch.setattr(aggregate, "seeing", lambda rules, before, _: seeing(rules, before, lambda _: before))
    with pytest.raises(Leak, match="the bot at seat"):
        compared(table, *await both(tmp_path, table, exchange))


@pytest.mark.checked
@pytest.mark.parametrize("what", [*LOOKS, "a live stream"])
async def test_every_answer_is_compared_to_the_byte(worlds: tuple[World, World], what: str) -> None:
    ours, theirs = worlds
    for change in CHANGES:
        with pytest.raises(Leak, match=what):
            compared(TERMS, ours, changed(theirs, what, change))


@pytest.mark.checked
async def test_salted_hashes_are_no_leak(worlds: tuple[World, World]) -> None:
    ours, theirs = worlds
    texts = [b"".join(heard.text for turn in world.turns for heard in turn.heard) for world in worlds]
    assert texts[0] != texts[1]
    assert [entry.event for entry in ours.log] != [entry.event for entry in theirs.log]
    assert any(turn.asked.method == FOLLOW for turn in ours.turns)
    assert compared(TERMS, ours, theirs) > 100
