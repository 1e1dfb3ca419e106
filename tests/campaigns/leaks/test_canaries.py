"""The comparison of worlds finds every leak of a hidden card, in every kind of answer.

First faults are planted in the service, where a mistake could make them. Then every kind of answer is changed in one
world only: its status, headers, size, body.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

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
from projections.standings import Page as Standings
from service.api import event_items
from service.api import game_replies as replies
from service.api.input import access
from service.api.routes import lobby, players, records, standings
from service.games import games, known_games
from service.games.cached_game import CachedGame
from service.games.errors import MoveRejected
from service.games.games import Games
from service.metrics import Metrics
from tests.campaigns.leaks import play
from tests.campaigns.leaks.play import LOOKS, Look, Terms
from tests.campaigns.leaks.session import FOLLOW, Turn
from tests.campaigns.leaks.worlds import Leak, World, both, compared, exchange_at_random

pytestmark = pytest.mark.anyio

RULESET = next(iter(RULESETS))
Patch = pytest.MonkeyPatch
Peek = Callable[[], int]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


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


def legal_moves_come_in_an_order_of_the_truth(patch: Patch, peek: Peek) -> None:
    legal = aggregate.legal
    patch.setattr(aggregate, "legal", lambda *asked: sorted(legal(*asked), key=lambda move: digest([peek(), move])))


def a_decision_is_dated_by_the_truth(patch: Patch, peek: Peek) -> None:
    right = CachedGame.choice_version
    patch.setattr(CachedGame, "choice_version", lambda *of: None if (found := right(*of)) is None else found + peek())


def an_etag_has_a_hash_of_the_truth_in_it(patch: Patch, peek: Peek) -> None:
    etag = access.GameAccess.etag
    patch.setattr(access.GameAccess, "etag", lambda *of: f'{etag(*of)[:-1]}.{peek()}"')


def a_header_tells_of_the_truth(patch: Patch, peek: Peek) -> None:
    private_headers = replies.private_headers
    patch.setattr(replies, "private_headers", lambda tag: private_headers(tag) | {"X-State": str(peek())})


def an_answer_is_as_long_as_the_truth(patch: Patch, peek: Peek) -> None:
    patch.setattr(replies, "encode", lambda value: encode(value) + b" " * (peek() % 1000))


def an_earlier_version_is_shown_as_it_was(patch: Patch, _: Peek) -> None:
    def shown(rules: Any, start: Any, log: Any, __: Any) -> Any:
        return aggregate.fold(rules, start, [entry.event for entry in log])

    patch.setattr(known_games, "view", shown)


def a_view_is_the_truth(patch: Patch, _: Peek) -> None:
    async def view(self: Games, live: CachedGame, _: Any, at: int | None = None) -> Any:
        return await self.truth(live, at)

    patch.setattr(Games, "view", view)


def events_are_not_redacted(patch: Patch, _: Peek) -> None:
    patch.setattr(event_items, "item", lambda _, entry, __: served(entry, entry.event, entry.move))


def patches_are_made_from_the_truth(patch: Patch, _: Peek) -> None:
    """Items stay as they are; the patches beside them are those of the full state."""
    item, known = event_items.item, {}

    def remembered(live: CachedGame, entry: Any, perspective: Any) -> Any:
        known[entry.version] = entry
        return item(live, entry, perspective)

    step = event_items.patches.step
    patch.setattr(event_items, "item", remembered)
    patch.setattr(event_items.patches, "step", lambda rules, seen, entry: step(rules, seen, known[entry.version]))


def a_tally_is_of_the_truth(patch: Patch, peek: Peek) -> None:
    patch.setattr(replies, "replace", lambda seen, **_: replace(seen, tally=Tally((peek(), 0))))


def what_was_missed_is_not_redacted(patch: Patch, _: Peek) -> None:
    patch.setattr(games, "redacted", lambda _, entry, __: served(entry, entry.event, entry.move))


def a_public_hash_is_of_the_whole_event(patch: Patch, _: Peek) -> None:
    written = known_games.written

    def unsalted(*asked: Any) -> tuple[Any, ...]:
        return tuple(replace(entry, public=sha256(encode(entry.event)).hexdigest()) for entry in written(*asked))

    patch.setattr(known_games, "written", unsalted)


def a_public_hash_covers_the_move(patch: Patch, _: Peek) -> None:
    written = known_games.written

    def covering(*asked: Any) -> tuple[Any, ...]:
        return tuple(
            replace(
                e,
                public=sha256(chain.entry(e.version, e.at, e.by, e.event, e.more, e.acting, e.move)).hexdigest(),
            )
            for e in written(*asked)
        )

    patch.setattr(known_games, "written", covering)


def a_move_is_shown_to_everybody(patch: Patch, _: Peek) -> None:
    redacted = log.redacted
    for place in (event_items, replies, games, log):
        patch.setattr(
            place, "redacted", lambda rules, entry, viewer: replace(redacted(rules, entry, viewer), move=entry.move)
        )


def a_record_shows_every_move(patch: Patch, _: Peek) -> None:
    redacted = log.redacted
    patch.setattr(
        log, "redacted", lambda rules, entry, viewer: replace(redacted(rules, entry, viewer), move=entry.move)
    )


def a_refusal_has_a_hint(patch: Patch, peek: Peek) -> None:
    def refused(self: MoveRejected, version: int, _: Any, legal_moves: list[Any]) -> None:
        self.version, self.choice_version, self.legal_moves = version, peek(), legal_moves

    patch.setattr(MoveRejected, "__init__", refused)


def a_record_is_whole_before_the_end(patch: Patch, _: Peek) -> None:
    patch.setattr(records.record, "seen", lambda _, whole, __: whole)


def an_audit_tells_what_it_has_found(patch: Patch, peek: Peek) -> None:
    verify = records.verify
    patch.setattr(
        records, "verify", lambda *of, **how: tuple(replace(check, version=peek()) for check in verify(*of, **how))
    )


def the_lobby_tells_of_the_table(patch: Patch, peek: Peek) -> None:
    page = lobby.page
    patch.setattr(
        lobby, "page",
        lambda *asked: replace(found := page(*asked), items=tuple(replace(one, open=peek()) for one in found.items)),
    )  # fmt: skip


def a_profile_tells_of_the_table(patch: Patch, peek: Peek) -> None:
    activity = players.activity
    patch.setattr(
        players, "activity", lambda *asked: replace(activity(*asked), games=(Played(RULESET, "running", peek()),))
    )


def standings_tell_of_the_table(patch: Patch, peek: Peek) -> None:
    patch.setattr(standings, "page", lambda *_, **__: Standings((), f"1~1~{peek()}.0000~p"))


def metrics_tell_of_the_table(patch: Patch, peek: Peek) -> None:
    text = Metrics.text
    patch.setattr(Metrics, "text", lambda self: text(self) + b"stammtisch_table %d\n" % peek())


FAULTS: dict[Callable[[Patch, Peek], None], Look] = {
    legal_moves_come_in_an_order_of_the_truth: play.legal_moves,
    a_decision_is_dated_by_the_truth: play.the_game,
    an_etag_has_a_hash_of_the_truth_in_it: play.the_game_if_it_has_changed,
    a_header_tells_of_the_truth: play.the_game_if_it_has_changed,
    an_answer_is_as_long_as_the_truth: play.the_game_without_its_body,
    an_earlier_version_is_shown_as_it_was: play.an_earlier_version,
    a_view_is_the_truth: play.the_game_as_a_bystander,
    events_are_not_redacted: play.the_ruleset,  # the live streams are open anyway
    patches_are_made_from_the_truth: play.patches_as_lines,
    a_tally_is_of_the_truth: play.the_game_with_its_tally,
    what_was_missed_is_not_redacted: play.a_move_on_a_stale_table,
    a_public_hash_is_of_the_whole_event: play.events_as_lines,
    a_public_hash_covers_the_move: play.events_as_lines,
    a_move_is_shown_to_everybody: play.the_ruleset,  # the live streams are open anyway
    a_record_shows_every_move: play.the_record,
    a_refusal_has_a_hint: play.an_illegal_move,
    a_record_is_whole_before_the_end: play.the_record,
    an_audit_tells_what_it_has_found: play.the_audit,
    the_lobby_tells_of_the_table: play.the_lobby,
    a_profile_tells_of_the_table: play.a_profile,
    standings_tell_of_the_table: play.the_standings,
    metrics_tell_of_the_table: play.the_metrics,
}  # fmt: skip
"""Each fault with a kind of request that must reveal it."""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_a_fault_that_leaks_hidden_cards_is_found(
    fault: Callable[[Patch, Peek], None], monkeypatch: Patch, peek: Peek, tmp_path: Path
) -> None:
    terms = Terms(RULESET, 2, seed=1, moves=2, looks=1, of=(FAULTS[fault],))
    exchange = exchange_at_random(terms, Random(1))
    fault(monkeypatch, peek)
    ours, theirs = await both(tmp_path, terms, exchange)
    with pytest.raises(Leak):
        compared(terms, ours, theirs)


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


async def test_a_bot_that_is_handed_the_truth_is_caught(tmp_path: Path, monkeypatch: Patch) -> None:
    """It chooses by everything that it is shown. Shown its view only, it is not caught."""

    def by_all_that_it_sees(state: Any, _seat: int, moves: Any, _: Any) -> int:
        return digest(state) % len(moves)

    seeing = aggregate.seeing
    monkeypatch.setitem(RULESETS[RULESET].bots, "careful/1", by_all_that_it_sees)
    table = Terms(RULESET, 3, seed=1, moves=6, looks=0, said=0, bots=2)
    exchange = exchange_at_random(table, Random(2))
    (tmp_path / "blind").mkdir()
    assert compared(table, *await both(tmp_path / "blind", table, exchange)) > 0
    monkeypatch.setattr(aggregate, "seeing", lambda rules, before, _: seeing(rules, before, lambda _: before))
    with pytest.raises(Leak, match="the bot at seat"):
        compared(table, *await both(tmp_path, table, exchange))


@pytest.mark.parametrize("what", [*(look.__name__ for look in LOOKS), "legal moves", "a live stream"])
async def test_every_answer_is_compared_to_the_byte(worlds: tuple[World, World], what: str) -> None:
    ours, theirs = worlds
    for change in CHANGES:
        with pytest.raises(Leak, match=what):
            compared(TERMS, ours, changed(theirs, what, change))


async def test_salted_hashes_are_no_leak(worlds: tuple[World, World]) -> None:
    ours, theirs = worlds
    texts = [b"".join(heard.text for turn in world.turns for heard in turn.heard) for world in worlds]
    assert texts[0] != texts[1]
    assert [entry.event for entry in ours.log] != [entry.event for entry in theirs.log]
    assert any(turn.asked.method == FOLLOW for turn in ours.turns)
    assert compared(TERMS, ours, theirs) > 100
