"""The life of a game without the rules of its moves: what can come when, who causes it, and what must follow at once.

It is known from what is open to everybody, so it is checked of every record, also of one that hides cards.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, assert_never

from msgspec import UnsetType
from msgspec.structs import replace

from domain import game
from domain.game import Aborted, Begun, Ended, Game, Joined, Left, Opened, Parent, Revealed, Rules
from domain.log import Entry
from domain.ruleset import Seat

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
EXACT = 2**53
"""Integers from here on are not exact everywhere."""

By = Seat | None


class Moment(NamedTuple):
    """When one kind of event of the game as such can come, and who causes it."""

    during: tuple[str, ...]
    """The statuses of the game."""
    caused_by: Callable[[Any, By], By]
    """Who causes the event, given who caused the event before it."""
    otherwise: str
    """What is said if it is another, or if it is not the time."""
    hinders: Callable[[Rules, Game, Any], str | None] = lambda _rules, _now, _event: None
    """Why it cannot come now all the same; None if it can."""


def nobody(_event: Any, _before: By) -> By:
    return None


def its_seat(event: Any, _before: By) -> By:
    seat: Seat = event.seat
    return seat


def leaver_or_nobody(event: Aborted, before: By) -> By:
    """The last player to leave, who caused the event before. All other causes are the service's."""
    return before if event.cause == "left" else None


def cannot_open(rules: Rules, now: Game, event: Opened[Any, Any]) -> str | None:
    no = "So no game is opened."
    if event.seats not in rules.seats:
        return no
    try:
        rules.deck(event.deck)
    except Exception:  # whatever a deck makes of data that it cannot have read
        return no
    parent = event.parent
    return None if isinstance(parent, UnsetType) or _may_continue(now.id, event, parent) else "So no branch begins."


def _may_continue(branch_id: str, opened: Opened[Any, Any], parent: Parent) -> bool:
    """A branch is a hotseat game, and comes from a game that had begun."""
    begun = opened.seats + 2  # opened, everybody has sat down, begun
    ids = parent.id, parent.root
    return opened.hotseat and begun <= parent.at < EXACT and branch_id not in ids and all(map(UUID.fullmatch, ids))


def cannot_join(_: Rules, now: Game, event: Joined) -> str | None:
    seat, player = event.seat, event.player
    if now.status != "waiting" or not 0 <= seat < len(now.players) or now.players[seat] is not None:
        return "The seat is not free."
    terms = game.agreed(now)
    if not terms.hotseat:
        return "The player sits at this game already." if now.seats_of(player.id) else None
    if player != terms.opener:
        return "Nobody but the opener plays here."
    if seat != _taken(now):
        return "The seats of a hotseat game are taken in their order."
    if seat and isinstance(terms.parent, UnsetType) and event.entropy != now.entropies[0]:
        return "The opener contributes the same from every seat."
    return None


def cannot_leave(_: Rules, now: Game, event: Left) -> str | None:
    taken = 0 <= event.seat < len(now.players) and now.players[event.seat] is not None
    return None if taken and not game.agreed(now).hotseat else "Nobody can stand up here."


def cannot_begin(_: Rules, now: Game, _event: Begun) -> str | None:
    return "Seats are free." if None in now.players else None


def cannot_be_aborted(_: Rules, now: Game, event: Aborted) -> str | None:
    match event.cause:
        case "left":
            empty = set(now.players) == {None} and not game.agreed(now).hotseat
            return None if empty and now.status == "waiting" else "Only an empty table is given up."
        case "cancelled" | "expired":
            return None if now.status == "waiting" else "Only a game that waits is cancelled or expires."
        case "longest":
            reached = now.status == "running" and now.version >= now.longest
            return None if reached else "The game has not reached its greatest length."
    assert_never(event.cause)


LIFE: Mapping[type[Any], Moment] = {
    Opened: Moment(("waiting",), nobody, "So no game is opened.", cannot_open),
    # That the seat is free is asked behind who causes it.
    Joined: Moment(
        ("waiting", "running", "finished", "aborted"), its_seat, "Whoever sits down causes it.", cannot_join
    ),
    Left: Moment(("waiting",), its_seat, "Nobody can stand up here.", cannot_leave),
    Begun: Moment(("waiting",), nobody, "Seats are free.", cannot_begin),
    Ended: Moment(("running",), nobody, "The game is not running."),
    Aborted: Moment(("waiting", "running"), leaver_or_nobody, "Nobody can abort the game here.", cannot_be_aborted),
    Revealed: Moment(("finished", "aborted"), nobody, "The secret is revealed when the game is over."),
}
"""The events of the game as such. All others come while it runs."""


def misplaced(rules: Rules, now: Game, event: Any, by: By, before: By) -> str | None:
    """Why the event cannot come now, by this seat; None if it can, as far as the game as such is concerned.

    `before` is the seat that caused the event before.
    """
    if isinstance(event, Opened) != (now.version == 0):
        return "A game is opened once, and first of all."
    if now.revealed:
        return "Nothing can follow on the end of a game."
    moment = LIFE.get(type(event))
    if moment is None:
        return None if now.status == "running" else "The game is not running."
    if now.status not in moment.during or by != moment.caused_by(event, before):
        return moment.otherwise
    if isinstance(event, Aborted) and event.cause == "left" and by is None:
        return moment.otherwise
    return moment.hinders(rules, now, event)


def due(now: Game, event: Any) -> type[Any] | None:
    """The event that must follow at once on this one, after which the game is `now`; None if several can."""
    match event:
        case Opened() | Joined():
            if None not in now.players:
                return Begun
            return Joined if game.agreed(now).hotseat else None
        case Left():
            return Aborted if set(now.players) == {None} else None
        case Ended() | Aborted():
            return Revealed
    return None


class Broken(NamedTuple):
    """The first version that cannot be, and why."""

    version: int
    detail: str


def broken(rules: Rules, game_id: str, entries: Sequence[Entry[Any]]) -> Broken | None:
    """Where the entries are no life of a game; None if they are. Whatever is in them, nothing is raised."""
    version, now = 0, Game(game_id)
    expected: type[Any] | None = Opened
    before: Entry[Any] | None = None
    try:
        for version, entry in enumerate(entries, 1):
            event, by = entry.event, entry.by
            if isinstance(event, Aborted):  # `now` is folded over the events of LIFE only
                now = replace(now, version=version - 1)
            if expected is not None and type(event) is not expected:
                return Broken(version, f"`{_tag(expected)}` must follow.")
            if wrong := misplaced(rules, now, event, by, before.by if before else None):
                return Broken(version, wrong)
            if by is not None and not 0 <= by < len(now.players):
                return Broken(version, f"There is no seat {by}.")
            follows = expected is not None or (by is None and not _by_itself(event))
            if before is not None and follows and entry.at != before.at:
                return Broken(version, f"`{_tag(type(event))}` comes at the time of the event before it.")
            if type(event) in LIFE:
                now = _on(rules, now, event)
                expected = due(now, event)
            before = entry
    except Exception as error:
        return Broken(version, f"This cannot have happened: {type(error).__name__} {error}".rstrip())
    if expected is not None:
        return Broken(len(entries) + 1, f"The record ends though `{_tag(expected)}` must follow.")
    return None


def _on(rules: Rules, now: Game, event: Any) -> Game:
    """The game after the event. What lies on the table is the ruleset's business and stays unknown."""
    if isinstance(event, Begun):
        return replace(now, version=now.version + 1, status="running")
    return game.evolve(rules, now, event)


def _by_itself(event: Any) -> bool:
    """Whether the event can be an append of its own, without a player."""
    return isinstance(event, Aborted) and event.cause in ("cancelled", "expired")


def _taken(now: Game) -> int:
    return sum(player is not None for player in now.players)


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
