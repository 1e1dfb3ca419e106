"""The fold: the game after an event, and what a viewer may see of an event."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import put
from domain.game.events import (
    LIFECYCLE,
    Aborted,
    Begun,
    Declined,
    Ended,
    Gone,
    Granted,
    Hinted,
    Joined,
    Left,
    Opened,
    Readied,
    Rejoined,
    Resumed,
    Revealed,
    Rules,
    TakenBack,
    Voted,
)
from domain.game.state import (
    ENDLESS,
    REACH,
    Game,
    Question,
    Table,
    agreed,
    bots_of,
    initial,
    kept_by,
)
from domain.messages import Dealing
from domain.player import PlayerId
from domain.ruleset import Viewer, one_more, step_of


def evolve(rules: Rules, game: Game, event: Any) -> Game:
    if type(event) not in LIFECYCLE:  # most are not, and the match below would get to them last
        return after_played(rules, game, (event,))
    version = game.version + 1
    match event:
        case Opened():
            nobody = (None,) * event.seats
            longest = ENDLESS if event.longest is UNSET else event.longest
            entropies = ("",) * event.seats
            return replace(
                game, version=version, terms=event, players=nobody, entropies=entropies, longest=longest,
                bots=bots_of(event), kept=kept_by(event), tables=None if event.undo is UNSET else (),
                seals=() if event.sealed is UNSET else entropies,
            )  # fmt: skip
        case Joined(seat, player, entropy, seal):
            players, entropies = put(game.players, seat, player), put(game.entropies, seat, entropy)
            seals = game.seals if seal is UNSET else put(game.seals, seat, seal)
            return replace(
                game, version=version, players=players, entropies=entropies, seals=seals,
                kept=_without(game.kept, player),
            )  # fmt: skip
        case Declined(seat):
            return replace(game, version=version, kept=_without(game.kept, game.kept[seat]))
        case Left(seat):
            sat = game.players[seat]
            stood_up = game.stood_up if sat is None else (*game.stood_up, sat)
            players, entropies = put(game.players, seat, None), put(game.entropies, seat, "")
            seals = put(game.seals, seat, "") if game.seals else ()
            return replace(game, version=version, players=players, entropies=entropies, seals=seals, stood_up=stood_up)
        case Readied(seat, entropy):
            ready = (*game.ready, seat)
            return replace(game, version=version, entropies=put(game.entropies, seat, entropy), ready=ready)
        case Begun():
            state = initial(rules, game)
            return replace(game, version=version, status="running", state=state, stood_up=(), seals=(), ready=())
        case Gone(seat, cause=cause, bot=bot):
            bots = put(game.bots or (None,) * len(game.players), seat, None if bot is UNSET else bot)
            gone, departures = (*game.gone, seat), (*game.departures, seat)
            expired = (*game.expired, seat) if cause == "expired" else game.expired
            return replace(
                game, version=version, bots=bots, gone=gone, departures=departures, expired=expired, asking=None
            )
        case Rejoined(seat):
            gone = tuple([other for other in game.gone if other != seat])
            expired = tuple([other for other in game.expired if other != seat])
            return replace(game, version=version, bots=put(game.bots, seat, None), gone=gone, expired=expired)
        case Granted(seat, seconds):
            granted = game.granted or (0,) * len(game.players)
            return replace(game, version=version, granted=put(granted, seat, granted[seat] + seconds))
        case Resumed():
            return replace(game, version=version)
        case Voted():
            return _voted(replace(game, version=version), event)
        case TakenBack(seat, to):
            return gone_back(
                rules, replace(game, version=version, taken_back=(*game.taken_back, seat), asking=None), to
            )
        case Hinted():
            return replace(game, version=version, hinted=game.table)
        case Ended(result):
            return replace(game, version=version, status="finished", result=result)
        case Aborted(cause):
            return replace(game, version=version, status="aborted", cause=cause)
        case Revealed():
            tables = None if game.tables is None else ()
            return replace(game, version=version, revealed=True, tables=tables, since=(), versions=())
    raise TypeError(f"{type(event).__name__} is not known")


def _voted(game: Game, voted: Voted) -> Game:
    question = game.question
    if not voted.yes:
        return replace(game, asking=None)
    if question is not None:
        return replace(game, asking=replace(question, yes=(*question.yes, voted.seat)))
    asked = Question(voted.on, voted.seat, voted.to, (voted.seat,), game.played)
    return replace(game, asking=asked, asked=(*game.asked, voted.seat))


def gone_back(rules: Rules, game: Game, to: int) -> Game:
    """The game with the table of version `to`. Everything else stays: players, clocks, bots, versions.

    Raises ValueError if the game does not reach back to that version.
    """
    place = game.place(to)
    if place is None or not game.tables:
        raise ValueError(f"nothing can be taken back to version {to}")
    first = game.tables[0].played
    tables = tuple([table for table in game.tables if table.played <= first + place])
    table, stands = tables[-1], game.since[:place]
    begin = replace(game, state=table.state, deals=table.deals, played=table.played, tables=None, since=(), versions=())
    back = fold(rules, begin, stands[table.played - first :])
    return replace(back, version=game.version, tables=tables, since=stands, versions=game.versions[:place])


def fold(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after the events. Between lifecycle events only the ruleset's state is folded."""
    if rules.undealt_events.issuperset(map(type, events)):  # as in most appends
        return _undealt(rules, game, events)
    played: list[Any] = []
    for event in events:
        if type(event) in LIFECYCLE:
            game, played = evolve(rules, after_played(rules, game, played), event), []
        else:
            played.append(event)
    return after_played(rules, game, played)


def after_played(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after these events of the ruleset."""
    begin = 0
    for number, event in enumerate(events):
        if isinstance(event, Dealing):
            game = _undealt(rules, game, events[begin:number])
            game = after_dealt(game, (event,), rules.evolve(game.state, event))
            begin = number + 1
    return _undealt(rules, game, events[begin:])


def _undealt(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after these events of the ruleset. None of them may start a dealer step."""
    tables, happened = game.tables, len(events)
    if tables is not None and (not tables or happened > tables[-1].played + REACH - game.played):
        while events:
            game = _with_room(game)
            room = room_for_more(game)
            game, events = _undealt(rules, game, events[:room]), events[room:]
        return game
    if not events:
        return game
    state, version, played = rules.fold(game.state, events), game.version + happened, game.played + happened
    if tables is None:
        return replace(game, version=version, state=state, played=played)
    since, versions = game.since + tuple(events), game.versions + tuple(range(game.version + 1, version + 1))
    return replace(game, version=version, state=state, played=played, since=since, versions=versions)


def after_dealt(game: Game, events: Sequence[Any], state: Any) -> Game:
    """The game after events that begin a dealer step, and no other one; at most as many as `room_for_more`. `state` is
    the ruleset's state after them."""
    tables, since = game.tables, tuple(events)
    versions = tuple(range(game.version + 1, game.version + 1 + len(since)))
    if tables is None:
        since = versions = ()
    elif agreed(game).undo == "free":  # nothing goes back behind the deal
        tables = (_table(game),)
    else:
        game = _with_room(game)
        tables, since, versions = game.tables, game.since + since, game.versions + versions
    return replace(
        game, version=game.version + len(events), state=state, deals=one_more(game.deals, step_of(events[0])),
        played=game.played + len(events), tables=tables, since=since, versions=versions,
    )  # fmt: skip


def room_for_more(game: Game) -> int:
    """The number of the ruleset's events that can follow before the game keeps another table."""
    return (game.tables[-1].played + REACH - game.played if game.tables else 0) or REACH


def _with_room(game: Game) -> Game:
    """The game with room for the next event. If there is none, it keeps this table, and drops what no undo reaches."""
    kept = game.tables or ()
    if kept and kept[-1].played + REACH > game.played:
        return game
    beyond = kept[-1].played - kept[0].played if kept else 0
    return replace(game, tables=(*kept[-1:], _table(game)), since=game.since[beyond:], versions=game.versions[beyond:])


def _table(game: Game) -> Table:
    return Table(game.version, game.state, game.deals, game.played)


def standing(events: Sequence[Any]) -> list[bool]:
    """For each event from the first one of a game on whether it stands: whether nobody has taken it back."""
    stands = [True] * len(events)
    for number, event in enumerate(events):
        if type(event) is TakenBack:
            for taken in range(event.to, number):
                stands[taken] = stands[taken] and type(events[taken]) in LIFECYCLE
    return stands


def stands(events: Sequence[Any]) -> list[Any]:
    """The events that stand: the game's events without those that were taken back, and without the taking back."""
    return [
        event for event, stood in zip(events, standing(events), strict=True) if stood and type(event) is not TakenBack
    ]


def _without(kept: tuple[PlayerId | None, ...], player: str | None) -> tuple[PlayerId | None, ...]:
    if player not in kept:
        return kept
    rest = tuple([None if each == player else each for each in kept])
    return rest if any(rest) else ()


def redact(rules: Rules, event: Any, viewer: Viewer) -> Any:
    if type(event) in rules.open_events:
        return event
    if type(event) not in LIFECYCLE:
        return rules.redact(event, viewer)
    return replace(event, secret=None) if isinstance(event, Opened) else event


def shown(rules: Rules, events: Iterable[Any], viewer: Viewer) -> list[Any]:
    """The events as the viewer sees them."""
    open_events = rules.open_events
    return [event if type(event) in open_events else redact(rules, event, viewer) for event in events]
