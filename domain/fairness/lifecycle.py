"""The lifecycle of a game without the rules of its moves: which event is valid when, who causes it, what must follow.

It depends on public fields only, so it is checked for every record, including redacted ones.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, assert_never

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import game
from domain.fairness.appends import Violation, is_chosen, starts_append
from domain.game import (
    STAYS,
    Aborted,
    Begun,
    Deal,
    Declined,
    Ended,
    Game,
    Gone,
    Granted,
    Hinted,
    Joined,
    Left,
    Opened,
    Parent,
    Readied,
    Rejoined,
    Resumed,
    Revealed,
    Rules,
    TakenBack,
    misplaced,
    seats_for,
)
from domain.game.events import Voted
from domain.game.log import Entry
from domain.game.questions import cannot_vote, outcome
from domain.game.undo import MOST_UNDOS
from domain.ruleset import Seat

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")
EXACT = 2**53
"""JSON readers may round integers from here on."""

FULL = "`aborted` must follow: the game has its maximum length."

By = Seat | None


class LifecycleRule(NamedTuple):
    """When one type of event is valid, and who causes it."""

    during: tuple[str, ...]
    """The statuses of the game in which it is valid."""
    caused_by: Callable[[Any, By, By], bool]
    """(the event, the seat that causes it, the seat that caused the previous event): whether it may."""
    otherwise: str
    """The error text for another status or another seat."""
    obstacle: Callable[[Rules, Game, Any], str | None] = lambda _rules, _now, _event: None
    """The error text if something else makes it invalid; None if it is valid."""


def nobody(_event: Any, by: By, _before: By) -> bool:
    return by is None


def its_seat(event: Any, by: By, _before: By) -> bool:
    seat: Seat = event.seat
    return by == seat


def leaver_or_nobody(event: Aborted, by: By, before: By) -> bool:
    """The last player to leave, who caused the previous event. The service aborts for all other causes."""
    return by == (before if event.cause == "left" else None)


def its_seat_or_nobody(event: Gone, by: By, _before: By) -> bool:
    """The player who leaves. For one who has run out of time it is the service."""
    return by == (event.seat if event.cause == "left" else None)


def another_seat(event: Granted, by: By, _before: By) -> bool:
    return by is not None and by != event.seat


def its_seat_unless_agreed(event: TakenBack, by: By, _before: By) -> bool:
    return by == (None if event.agreed else event.seat)


def cannot_open(rules: Rules, now: Game, event: Opened[Any, Any]) -> str | None:
    invalid = "The terms of the game are invalid."
    if event.seats not in rules.seats or not _is_length(event.longest):
        return invalid
    try:
        rules.deck(event.deck)
    except Exception:  # a ruleset may raise anything for a deck that it could not have read
        return invalid
    if misplaced(rules, event):
        return invalid
    if not isinstance(event.rematch_of, UnsetType) and not UUID.fullmatch(event.rematch_of):
        return invalid
    if not isinstance(event.deal, UnsetType) and not _is_deal(event.deal):
        return invalid
    parent = event.parent
    return None if isinstance(parent, UnsetType) or _is_branch(now.id, event, parent) else "The parent is invalid."


def _is_length(longest: int | UnsetType) -> bool:
    return isinstance(longest, UnsetType) or 1 <= longest < EXACT


def is_time(text: str) -> bool:
    """Whether the text is an existing date and time in UTC with 6 decimals, as the service writes it."""
    found = TIME.fullmatch(text)
    if found is None:
        return False
    year, month, day = map(int, found.group(1, 2, 3))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= day <= days[month - 1]


def _is_deal(deal: Deal) -> bool:
    tables = isinstance(deal.tables, UnsetType) or 2 <= deal.tables < EXACT
    return tables and UUID.fullmatch(deal.id) is not None and is_time(deal.until)


def _is_branch(branch_id: str, opened: Opened[Any, Any], parent: Parent) -> bool:
    """A branch is a hotseat game and continues a game that had begun."""
    begun = 4  # `opened`, one `joined` at least (bots do not join), `begun`, a deal
    ids = parent.id, parent.root
    return opened.hotseat and begun <= parent.at < EXACT and branch_id not in ids and all(map(UUID.fullmatch, ids))


def cannot_join(_: Rules, now: Game, event: Joined) -> str | None:
    seat, player = event.seat, event.player
    if now.status != "waiting" or seat not in now.free:
        return "The seat is not free."
    if not player:
        return "The id of the player is empty."
    if wrong := game.wrong_seal(now, event):
        return wrong
    terms = game.agreed(now)
    if not terms.hotseat:
        if now.stood_up.count(player) >= game.STAND_UPS or len(now.stood_up) >= game.ALL_STAND_UPS:
            return "The player, or all players together, left the game too often."
        if now.seats_of(player):
            return "The player has another seat in this game."
        return None if seat in seats_for(now, player) else "The seat is kept for another player."
    if player != terms.opener:
        return "In a hotseat game the opener takes every seat."
    if seat != _taken(now):
        return "In a hotseat game the seats are taken in order."
    if seat and isinstance(terms.parent, UnsetType) and event.entropy != now.entropies[0]:
        return "In a hotseat game all seats have the same entropy."
    return None


def cannot_leave(_: Rules, now: Game, event: Left) -> str | None:
    if now.ready:
        return "Nobody leaves between the first `readied` and `begun`."
    taken = 0 <= event.seat < len(now.players) and now.players[event.seat] is not None
    return None if taken and not game.agreed(now).hotseat else "No player can leave this seat."


def cannot_decline(_: Rules, now: Game, event: Declined) -> str | None:
    kept = 0 <= event.seat < len(now.kept) and now.kept[event.seat] is not None
    return None if kept else "The seat is not kept for a player."


def cannot_ready(_: Rules, now: Game, event: Readied) -> str | None:
    return game.cannot_ready(now, event)


def cannot_begin(_: Rules, now: Game, _event: Begun) -> str | None:
    if now.unready:
        return "A seat has not opened its entropy."
    return "A seat is free." if now.free else None


def cannot_go(_: Rules, now: Game, event: Gone) -> str | None:
    absent = game.agreed(now).absent
    if isinstance(absent, UnsetType):
        return "The terms let nobody leave a running game."
    if event.cause == "expired" and game.agreed(now).clock is UNSET:
        return "In a game without a clock nobody runs out of time."
    if event.seat not in now.present:
        return "No player can leave this seat."
    expected = UNSET if absent == "abort" else absent
    return None if event.bot == expected else "The terms name another bot, or none."


def cannot_rejoin(_: Rules, now: Game, event: Rejoined) -> str | None:
    if event.seat not in now.gone:
        return "The player has not left this seat."
    return None if now.departures.count(event.seat) < STAYS else "The player has left this seat for good."


def cannot_grant(now: Game, event: Granted, by: By) -> str | None:
    if by is None or by not in now.present:
        return "The giver is not at the table."
    if event.seconds < 1 or game.cannot_grant(now, by, event):
        return "The seat cannot be given this time."
    return None


def cannot_resume(_: Rules, now: Game, _event: Resumed) -> str | None:
    return "This game has no clock." if game.agreed(now).clock is UNSET else None


def cannot_be_voted(_: Rules, now: Game, event: Voted) -> str | None:
    if event.on == "undo" and now.question is None and now.taken_back.count(event.seat) >= MOST_UNDOS:
        return "The seat has taken back too many moves."
    return "The player cannot vote this way." if cannot_vote(now, event) else None


def cannot_take_back(_: Rules, now: Game, event: TakenBack) -> str | None:
    if game.agreed(now).undo is UNSET:
        return "In this game no move can be taken back."
    if event.agreed:
        return None if outcome(now) == [event] else "Not all players have agreed."
    if event.seat not in now.present:
        return "No player is at this seat."
    return None if now.taken_back.count(event.seat) < MOST_UNDOS else "The seat has taken back too many moves."


def cannot_be_hinted(_: Rules, now: Game, event: Hinted) -> str | None:
    if wrong := game.cannot_be_hinted(now, event):
        return wrong
    return "The seat has asked for a hint about this choice." if now.hinted == now.table else None


def cannot_be_aborted(_: Rules, now: Game, event: Aborted) -> str | None:
    if event.unready != (game.late(now) if event.cause == "expired" else UNSET):
        return "`unready` names the seats that did not ready, when a sealed game with all seats taken expires."
    match event.cause:
        case "left":
            empty = set(now.players) == {None} and not game.agreed(now).hotseat
            valid = empty and now.status == "waiting"
            return None if valid else "The cause `left` requires that the last player has left."
        case "expired" if now.status == "running" and not isinstance(game.agreed(now).deal, UnsetType):
            return None
        case "cancelled" | "expired":
            return None if now.status == "waiting" else "Only a waiting game is cancelled or expires."
        case "longest":
            reached = now.status == "running" and now.version >= now.longest
            return None if reached else "The game does not have its maximum length."
        case "absent":
            deserted = now.status == "running" and _is_deserted(now)
            return None if deserted else "The cause `absent` requires that a player has left, or all."
        case "operator":
            return None
        case "agreed":
            return None if outcome(now) == [event] else "Not all players have agreed."
    assert_never(event.cause)


def _is_deserted(now: Game) -> bool:
    """Nobody is left to play on: no player, or no bot for one who has gone."""
    return not now.present or any(now.bot_at(seat) is None for seat in now.gone)


LIFECYCLE: Mapping[type[Any], LifecycleRule] = {
    Opened: LifecycleRule(("waiting",), nobody, "The terms of the game are invalid.", cannot_open),
    # In any status: `cannot_join` reports a seat that is not free, after the check of who causes the event.
    Joined: LifecycleRule(
        ("waiting", "running", "finished", "aborted"), its_seat, "The joining seat must cause the event.", cannot_join
    ),
    Left: LifecycleRule(("waiting",), its_seat, "No player can leave this seat.", cannot_leave),
    Declined: LifecycleRule(("waiting",), its_seat, "No player can decline this seat.", cannot_decline),
    Readied: LifecycleRule(("waiting",), its_seat, "The seat that is ready must cause the event.", cannot_ready),
    Begun: LifecycleRule(("waiting",), nobody, "A seat is free.", cannot_begin),
    Gone: LifecycleRule(("running",), its_seat_or_nobody, "No player can leave this seat.", cannot_go),
    Rejoined: LifecycleRule(("running",), its_seat, "The player cannot rejoin at this seat.", cannot_rejoin),
    Granted: LifecycleRule(("running",), another_seat, "Another player must give the time."),
    Resumed: LifecycleRule(("running",), nobody, "No seat gives the time of an outage back.", cannot_resume),
    Voted: LifecycleRule(("running",), its_seat, "The voter must cause the event.", cannot_be_voted),
    TakenBack: LifecycleRule(
        ("running",), its_seat_unless_agreed, "The seat cannot take back a move.", cannot_take_back
    ),
    Hinted: LifecycleRule(("running",), its_seat, "The seat that asks must cause the event.", cannot_be_hinted),
    Ended: LifecycleRule(("running",), nobody, "The game is not running."),
    Aborted: LifecycleRule(("waiting", "running"), leaver_or_nobody, "The game cannot be aborted.", cannot_be_aborted),
    Revealed: LifecycleRule(("finished", "aborted"), nobody, "The secret is revealed only when the game is over."),
}
"""The events that every game has. All others belong to the ruleset and are valid while the game runs."""

WHILE_RUNNING = {kind for kind, rule in LIFECYCLE.items() if rule.during == ("running",)} - {Ended}
"""The events of commands that need a running game."""


def invalid_event(rules: Rules, now: Game, event: Any, by: By, before: By) -> str | None:
    """Why the event, caused by this seat, is not valid now; None if the lifecycle admits it.

    `before` is the seat that caused the previous event.
    """
    if isinstance(event, Opened) != (now.version == 0):
        return "`opened` must be the first event and no other."
    if now.revealed:
        return "No event can follow `revealed`."
    rule = LIFECYCLE.get(type(event))
    if rule is None:
        return None if now.status == "running" else "The game is not running."
    if now.status not in rule.during or not rule.caused_by(event, by, before):
        return rule.otherwise
    if isinstance(event, Aborted) and event.cause == "left" and by is None:
        return rule.otherwise
    return cannot_grant(now, event, by) if isinstance(event, Granted) else rule.obstacle(rules, now, event)


def required_next(now: Game, event: Any) -> type[Any] | None:
    """The type of event that must follow in the same append, where `now` is the game after `event`; None if several
    can follow."""
    match event:
        case Opened() | Joined() | Readied():
            if not now.free and not now.unready:
                return Begun
            return Joined if game.agreed(now).hotseat else None
        case Left():
            return Aborted if set(now.players) == {None} else None
        case Gone():
            return Aborted if _is_deserted(now) else None
        case Voted():
            return next((type(event) for event in outcome(now)), None)
        case Ended() | Aborted():
            return Revealed if isinstance(game.agreed(now).deal, UnsetType) else None
    return None


def violation(rules: Rules, game_id: str, entries: Sequence[Entry[Any, Any]]) -> Violation | None:
    """Where the entries violate the lifecycle; None if they do not. Never raises, whatever the entries contain."""
    version, now = 0, Game(game_id)
    expected: type[Any] | None = Opened
    before: Entry[Any, Any] | None = None
    moved: dict[Seat, bool] = {}
    played = 0
    try:
        for version, entry in enumerate(entries, 1):
            event, by = entry.event, entry.by
            starts = starts_append(before)
            if isinstance(event, Aborted):  # `now` is folded over the events of LIFECYCLE only
                now = replace(now, version=version - 1)
                if expected is not None and event.cause != _expected_cause(now):
                    return Violation(version, f"The cause must be `{_expected_cause(now)}`.")
            now = replace(now, played=played)
            if expected is not None and (type(event) is not expected or (starts and before is not None)):
                return Violation(version, f"`{_tag(expected)}` must follow in the same append.")
            if wrong := invalid_event(rules, now, event, by, before.by if before else None):
                return Violation(version, wrong)
            if wrong := _untimely(now, entry, starts):
                return Violation(version, wrong)
            if by is not None and not 0 <= by < len(now.players):
                return Violation(version, f"Seat {by} does not exist.")
            by_bot = is_chosen(entry) and by is not None and now.bot_at(by) is not None
            chooses = starts or (by_bot and before is not None and by != before.by)
            if version > now.longest and now.status == "running" and chooses:
                return Violation(version, FULL)
            if isinstance(event, Gone) and event.moved != moved.get(event.seat, False):
                return Violation(version, "`moved` must say whether the player has made a move.")
            if is_chosen(entry) and by is not None and not by_bot:
                moved[by] = True
            if type(event) not in LIFECYCLE:
                played += 1
            else:
                now = _after(rules, now, event)
                expected = required_next(now, event)
            before = entry
    except Exception as error:
        return Violation(version, f"This event is impossible: {type(error).__name__} {error}".rstrip())
    if expected is not None:
        return Violation(len(entries) + 1, f"The record ends but `{_tag(expected)}` must follow.")
    if now.status == "running" and len(entries) >= now.longest:
        return Violation(len(entries) + 1, FULL)
    return None


def _untimely(now: Game, entry: Entry[Any, Any], starts: bool) -> str | None:
    """In games of a deal: a running game expires only when the deal does, and the secret comes alone."""
    deal = UNSET if now.terms is None else now.terms.deal
    if isinstance(deal, UnsetType):
        return None
    if isinstance(entry.event, Aborted) and entry.event.cause == "expired" and now.status == "running":
        return None if entry.at >= deal.until else "The deal lasts longer."
    return "`revealed` must begin an append." if isinstance(entry.event, Revealed) and not starts else None


def _after(rules: Rules, now: Game, event: Any) -> Game:
    """The game after the event, without the ruleset's state."""
    if isinstance(event, Begun):
        return replace(now, version=now.version + 1, status="running")
    if isinstance(event, TakenBack):
        return replace(now, version=now.version + 1, taken_back=(*now.taken_back, event.seat), asking=None)
    return game.evolve(rules, now, event)


def _expected_cause(now: Game) -> str:
    """Why a game is aborted that must be aborted now, unless by its maximum length."""
    if now.status == "waiting":
        return "left"
    return "absent" if now.question is None else "agreed"


def _taken(now: Game) -> int:
    return sum(player is not None for player in now.players)


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
