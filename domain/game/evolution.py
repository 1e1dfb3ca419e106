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
    Joined,
    Left,
    Opened,
    Rejoined,
    Revealed,
    Rules,
    TakenBack,
    Voted,
)
from domain.game.state import (
    ENDLESS,
    REACH,
    STRETCH,
    Game,
    Question,
    Stretch,
    agreed,
    bots_of,
    initial,
    kept_by,
)
from domain.messages import Dealing
from domain.player import PlayerId
from domain.ruleset import Viewer


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
                bots=bots_of(event), kept=kept_by(event), past=None if event.undo is UNSET else (),
            )  # fmt: skip
        case Joined(seat, player, entropy):
            players, entropies = put(game.players, seat, player), put(game.entropies, seat, entropy)
            return replace(
                game, version=version, players=players, entropies=entropies, kept=_without(game.kept, player)
            )
        case Declined(seat):
            return replace(game, version=version, kept=_without(game.kept, game.kept[seat]))
        case Left(seat):
            sat = game.players[seat]
            stood_up = game.stood_up if sat is None else (*game.stood_up, sat)
            players, entropies = put(game.players, seat, None), put(game.entropies, seat, "")
            return replace(game, version=version, players=players, entropies=entropies, stood_up=stood_up)
        case Begun():
            return replace(game, version=version, status="running", state=initial(rules, game), stood_up=())
        case Gone(seat, cause=cause, bot=bot):
            bots = put(game.bots or (None,) * len(game.players), seat, None if bot is UNSET else bot)
            gone, departures = (*game.gone, seat), (*game.departures, seat)
            expired = (*game.expired, seat) if cause == "expired" else game.expired
            return replace(
                game, version=version, bots=bots, gone=gone, departures=departures, expired=expired, vote=None
            )
        case Rejoined(seat):
            gone = tuple([other for other in game.gone if other != seat])
            expired = tuple([other for other in game.expired if other != seat])
            return replace(game, version=version, bots=put(game.bots, seat, None), gone=gone, expired=expired)
        case Granted(seat, seconds):
            granted = game.granted or (0,) * len(game.players)
            return replace(game, version=version, granted=put(granted, seat, granted[seat] + seconds))
        case Voted():
            return _voted(replace(game, version=version), event)
        case TakenBack(seat, to):
            return gone_back(rules, replace(game, version=version, taken_back=(*game.taken_back, seat), vote=None), to)
        case Ended(result):
            return replace(game, version=version, status="finished", result=result)
        case Aborted(cause):
            return replace(game, version=version, status="aborted", cause=cause)
        case Revealed():
            past = None if game.past is None else ()
            return replace(game, version=version, revealed=True, past=past, recent=())
    raise TypeError(f"{type(event).__name__} is not known")


def _voted(game: Game, voted: Voted) -> Game:
    question = game.question
    if not voted.yes:
        return replace(game, vote=None)
    if question is not None:
        return replace(game, vote=replace(question, yes=(*question.yes, voted.seat)))
    asked = Question(voted.on, voted.seat, voted.to, (voted.seat,), game.played)
    return replace(game, vote=asked, asked=(*game.asked, voted.seat))


def gone_back(rules: Rules, game: Game, to: int) -> Game:
    """The game with the table of version `to`. Everything else stays: players, clocks, bots, versions.

    Raises ValueError if the game does not reach back to that version.
    """
    stretch = game.stretch(to)
    if stretch is None or game.past is None:
        raise ValueError(f"nothing can be taken back to version {to}")
    begin = replace(
        game, version=stretch.version, state=stretch.state, dealt=stretch.dealt, played=stretch.played,
        past=tuple([each for each in game.past if each.version < stretch.version]), recent=(),
    )  # fmt: skip
    events = stretch.events or game.recent
    return replace(fold(rules, begin, events[: to - stretch.version]), version=game.version)


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
    if not events:
        return game
    past, recent, happened = game.past, game.recent, len(events)
    if past is not None:
        if not past or past[-1].version + len(recent) != game.version or len(recent) + happened > STRETCH:
            return _stretched(rules, game, events)
        recent = (*recent, *events)
    state = rules.fold(game.state, events)
    return replace(game, version=game.version + happened, state=state, played=game.played + happened, recent=recent)


def _stretched(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after these events, if not all of them belong to the latest stretch."""
    room = 0
    if game.past and game.past[-1].version + len(game.recent) == game.version:
        room = STRETCH - len(game.recent)
    game = _undealt(rules, game, events[:room])
    begun = Stretch(game.version, game.state, game.dealt, game.played)
    return _undealt(rules, replace(game, past=(*_within_reach(game), begun), recent=()), events[room:])


def after_dealt(game: Game, events: Sequence[Any], state: Any) -> Game:
    """The game after events that begin a dealer step, and no other one. `state` is the ruleset's state after them."""
    past, recent = game.past, game.recent
    if past is not None:  # a stretch begins, so the state between the events is not needed
        past = (*_within_reach(game), Stretch(game.version, game.state, game.dealt, game.played))
        past, recent = past[-1:] if agreed(game).undo == "free" else past, tuple(events)
    version, dealt, played = game.version + len(events), game.dealt + 1, game.played + len(events)
    return replace(game, version=version, dealt=dealt, played=played, state=state, past=past, recent=recent)


def _within_reach(game: Game) -> tuple[Stretch, ...]:
    """The stretches that an undo will still reach when the next one begins, all with their events."""
    past = game.past or ()
    if game.recent:
        past = (*past[:-1], replace(past[-1], events=game.recent))
    return tuple([each for each in past if game.played - each.played - len(each.events) < REACH])


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
    """The reservations without that of the player."""
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
