"""The decisions: what a command leads to. Nothing else decides about a game.

All cases have one shape. A decision ends before the first choice of a bot; see `domain.game.bots`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.cards import put
from domain.fairness.chance import seal
from domain.game import commands, refusals
from domain.game.consequences import Decision, decision, moved
from domain.game.events import (
    Aborted,
    Declined,
    Gone,
    Granted,
    Hinted,
    Joined,
    Left,
    Readied,
    Rejoined,
    Resumed,
    Revealed,
    Rules,
    TakenBack,
    Voted,
)
from domain.game.questions import CannotVote, asks, voted
from domain.game.state import Game, agreed, can_rejoin, most_granted, seats_for, to_act
from domain.game.undo import Made, free_undo, last_move
from domain.messages import Event, Value
from domain.ruleset import Illegal, Seat

STAND_UPS = 10
"""How often a player can leave one game and still join it again."""

ALL_STAND_UPS = 500
"""How often all players together can leave one game. After that nobody can join: a waiting game has a bounded log."""


class History(Protocol):
    """What a decision needs besides the game: facts of its log."""

    @property
    def made(self) -> Sequence[Made]:
        """The latest moves that stand."""

    @property
    def moved(self) -> Collection[Seat]:
        """The seats whose players have made a move."""

    def choosing(self, player: str, /) -> Seat | None:
        """The seat that the player's move is for if the command names none."""

    def choice_changed(self, seat: Seat, version: int, /) -> bool:
        """Whether the seat's choice at this version no longer exists."""

    def revealed_nothing(self) -> bool:
        """Whether the latest move revealed nothing."""


class Recorded(Value):
    """A history of these facts alone: of a record, or of a game whose log nobody has."""

    made: Sequence[Made] = ()
    moved: Collection[Seat] = ()

    def choosing(self, _: str) -> Seat | None:
        return None

    def choice_changed(self, _seat: Seat, _version: int) -> bool:
        return False

    def revealed_nothing(self) -> bool:
        return False


UNRECORDED = Recorded()


def decide(
    rules: Rules, game: Game, by: str | None, command: commands.Command, history: History = UNRECORDED
) -> Decision:
    """What the command of the player leads to; `by` None: of the service. Raises a refusal."""
    return _CASES[type(command)](rules, game, by, command, history)


def as_meant(game: Game, command: commands.Command) -> commands.Command:
    """The command as it was meant on this game: a vote answers the question that is open. Time-outs may end that
    before the vote is decided, and then it must not become a question of its own."""
    if type(command) is commands.Vote and command.asked_by is None and game.question is not None:
        return replace(command, asked_by=game.question.seat)
    return command


def _cancel(rules: Rules, game: Game, by: str | None, _: commands.Cancel, _history: History) -> Decision:
    if by != agreed(game).opener:
        raise refusals.NotOpener
    return _aborted(rules, game, Aborted("cancelled"))


def _abort(rules: Rules, game: Game, _by: str | None, command: commands.Abort, _history: History) -> Decision:
    if command.cause == "operator" and game.status not in ("waiting", "running"):
        raise refusals.NotRunning
    expires = command.cause == "expired" and agreed(game).deal is not UNSET and game.status == "running"
    if command.cause == "operator" or expires:
        return decision(rules, game, [Aborted(command.cause)], (None,))
    return _aborted(rules, game, Aborted(command.cause, late(game) if command.cause == "expired" else UNSET))


def _reveal(rules: Rules, game: Game, _by: str | None, _: commands.Reveal, _history: History) -> Decision:
    secret = agreed(game).secret
    if game.status not in ("finished", "aborted") or game.revealed or secret is None:
        raise refusals.NotFinished
    return decision(rules, game, [Revealed(secret)], (None,))


def late(game: Game) -> tuple[Seat, ...] | UnsetType:
    """The seats that are named when the game expires: those that did not ready, once all seats were taken."""
    return game.unready if game.seals and not game.free else UNSET


def _aborted(rules: Rules, game: Game, event: Aborted) -> Decision:
    if game.status != "waiting":
        raise refusals.NotWaiting
    return decision(rules, game, [event], (None,))


def _join(rules: Rules, game: Game, by: str, command: commands.Join, _: History) -> Decision:
    """The game begins when the last seat is taken. A player who has left the running game comes back."""
    own = game.seats_of(by)
    left = [seat for seat in own if seat in game.gone]
    if game.status == "running" and left and command.seat in (None, *left):
        if not can_rejoin(game, left[0]):
            raise refusals.CannotRejoin
        return decision(rules, game, [Rejoined(left[0])], (left[0],))
    if game.status != "waiting":
        raise refusals.NotWaiting
    if own:
        raise refusals.AlreadySeated
    if game.stood_up.count(by) >= STAND_UPS or len(game.stood_up) >= ALL_STAND_UPS:
        raise refusals.TooRestless
    free, seat = seats_for(game, by), command.seat
    if seat is None:
        if not free:
            raise refusals.Reserved if game.free else refusals.SeatTaken
        seat = free[0]
    if seat not in game.free:
        raise refusals.SeatTaken
    if seat not in free:
        raise refusals.Reserved
    if wrong := wrong_seal(game, joined := Joined(seat, by, command.entropy, command.seal)):
        raise refusals.WrongSeal(wrong)
    return decision(rules, game, [joined], (seat,))


def wrong_seal(game: Game, joined: Joined) -> str | None:
    """Why nobody sits down in this game with this entropy and seal; None if they can."""
    if agreed(game).deal is not UNSET and joined.entropy:
        return "In the games of a deal all entropies are empty."
    if agreed(game).sealed is UNSET:
        return None if joined.seal is UNSET else "This game is not sealed: a seat comes with `entropy`."
    valid = joined.seal is not UNSET and not joined.entropy
    return None if valid else "This game is sealed: a seat comes with a `seal`, and without `entropy`."


def _ready(rules: Rules, game: Game, by: str, command: commands.Ready, _: History) -> Decision:
    """The game begins when the last player is ready."""
    seat = next(iter(game.seats_of(by)), None)
    if seat is None:
        raise refusals.NotSeated
    if game.status != "waiting":
        raise refusals.NotWaiting
    readied = Readied(seat, command.entropy)
    if wrong := cannot_ready(game, readied):
        raise refusals.CannotReady(wrong)
    return decision(rules, game, [readied], (seat,))


def cannot_ready(game: Game, readied: Readied) -> str | None:
    """Why the seat cannot open this entropy in the waiting game; None if it can."""
    if agreed(game).sealed is UNSET:
        return "This game is not sealed."
    if game.free:
        return "A seat is free: entropies are opened when all seals are there."
    if readied.seat not in game.unready:
        return "The seat is ready."
    fits = seal(game.id, readied.seat, readied.entropy) == game.seals[readied.seat]
    return None if fits else "The entropy is not the one that was sealed."


def _leave(rules: Rules, game: Game, by: str, command: commands.Leave, history: History) -> Decision:
    """When the last player leaves, the game is aborted. In a running game a bot plays on, or the game is aborted, as
    the terms say; also when no player is left."""
    seat = command.seat
    if command.running and game.status != "waiting":
        return _abandon(rules, game, by, seat, history)
    if not command.running and seat in game.kept_for(by):
        if game.status != "waiting":
            raise refusals.NotWaiting
        return decision(rules, game, [Declined(seat)], (seat,))
    if seat not in game.seats_of(by):
        raise refusals.NotSeated
    if game.status != "waiting":
        raise refusals.NotWaiting
    if game.ready:
        raise refusals.SeatsFixed
    events: list[Event] = [Left(seat)]
    if all(occupant is None for occupant in put(game.players, seat, None)):
        events.append(Aborted())
    return decision(rules, game, events, (seat,) * len(events))


def _abandon(rules: Rules, game: Game, by: str, seat: Seat, history: History) -> Decision:
    if seat not in game.seats_of(by) or seat in game.gone:
        raise refusals.NotSeated
    if game.status != "running":
        raise refusals.NotRunning
    absent = agreed(game).absent
    if absent is UNSET:
        raise refusals.NotWaiting
    gone = Gone(seat, seat in history.moved, "left", UNSET if absent == "abort" else absent)
    if gone.bot is UNSET or game.present == (seat,):
        return decision(rules, game, [gone, Aborted("absent")], (seat, None))
    return decision(rules, game, [gone], (seat,))


def _time_out(rules: Rules, game: Game, _: str | None, command: commands.TimeOut, history: History) -> Decision:
    """A bot plays on for each of them, or the game is aborted, as the terms say; also when no player is left."""
    seats, absent = command.seats, agreed(game).absent
    assert absent is not UNSET, "with a clock the terms have `absent`"
    if absent == "abort":
        seats = seats[:1]
    bot = UNSET if absent == "abort" else absent
    events: list[Event] = [Gone(seat, seat in history.moved, "expired", bot) for seat in seats]
    if bot is UNSET or len(seats) == len(game.present):
        events.append(Aborted("absent"))
    return decision(rules, game, events, (None,) * len(events))


def _resume(rules: Rules, game: Game, _: str | None, command: commands.Resume, _history: History) -> Decision:
    return decision(rules, game, [Resumed(command.milliseconds)], (None,))


def _give_time(rules: Rules, game: Game, by: str, command: commands.GiveTime, _: History) -> Decision:
    giver, granted = _running_seat(game, by), Granted(command.seat, command.seconds)
    if wrong := cannot_grant(game, giver, granted):
        possible = granted.seat in game.present and granted.seat != giver
        raise refusals.CannotGrant(wrong, most_granted(game, granted.seat) if possible else 0)
    return decision(rules, game, [granted], (giver,))


def _running_seat(game: Game, by: str) -> Seat:
    """The first seat of the player in the running game."""
    seat = next(iter(game.seats_of(by)), None)
    if seat is None or seat in game.gone:
        raise refusals.NotSeated
    if game.status != "running":
        raise refusals.NotRunning
    return seat


def cannot_grant(game: Game, giver: Seat, granted: Granted) -> str | None:
    """Why the giver cannot give this time; None if it can."""
    if agreed(game).clock is UNSET:
        return "This game has no clock."
    if granted.seat == giver:
        return "Time can be given to another seat only."
    if granted.seat not in game.present:
        return "No player is at this seat."
    most = most_granted(game, granted.seat)
    return None if granted.seconds <= most else f"This seat can be given {most} seconds now."


def _take_back(rules: Rules, game: Game, by: str, command: commands.TakeBack, history: History) -> Decision:
    """The latest move, if it revealed nothing. Otherwise the others are asked, if the terms allow that."""
    own = [seat for seat in game.seats_of(by) if seat not in game.gone]
    if not own:
        raise refusals.NotSeated
    if game.status != "running":
        raise refusals.NotRunning
    made = next((made for made in history.made if made.last == command.version), None)
    if made is not None and made.seat in own and last_move(game, history.made, made.seat) is made:
        if made is history.made[-1] and history.revealed_nothing():
            return decision(rules, game, [TakenBack(made.seat, made.to, agreed=False)], (made.seat,))
        if agreed(game).undo == "agreed":
            return voted(rules, game, Voted(made.seat, "undo", yes=True, to=made.to))
    possible = [free_undo(game, history, seat) for seat in own]
    raise refusals.NotUndoable(next((found for found in possible if isinstance(found, int)), None))


def _vote(rules: Rules, game: Game, by: str, command: commands.Vote, history: History) -> Decision:
    """Answer the open question; without one a yes asks it. A question about an undo is about the latest move of the
    player who asks, and about everything since."""
    seat, question = _running_seat(game, by), game.question
    if command.asked_by is not None and (question is None or question.seat != command.asked_by):
        raise CannotVote("The question has ended.")
    if question is None and command.yes:
        seat, to = asks(game, history.made, seat, command.on)
    else:
        to = UNSET if question is None else question.to
    return voted(rules, game, Voted(seat, command.on, command.yes, to))


def _ask_for_hint(rules: Rules, game: Game, by: str, _: commands.AskForHint, _history: History) -> Decision:
    """One hint for each choice: it can be given any number of times, and always is the same."""
    seat = _running_seat(game, by)
    if wrong := cannot_be_hinted(game, Hinted(seat)):
        raise refusals.NoHint(wrong)
    if seat not in to_act(rules, game):
        raise refusals.NoHint("The caller has no choice now.")
    if game.hinted == game.table:
        raise refusals.AlreadyHinted
    return decision(rules, game, [Hinted(seat)], (seat,))


def cannot_be_hinted(game: Game, hinted: Hinted) -> str | None:
    """Why nobody gives this seat hints; None if it can have some when it has a choice."""
    if agreed(game).hints is UNSET:
        return "This game has no hints."
    return None if hinted.seat in game.present else "No player is at this seat."


def _move(rules: Rules, game: Game, by: str, command: commands.Move[Any], history: History) -> Decision:
    named, seen = command.seat, command.decided_on
    seat = history.choosing(by) if named is None else named
    if seat is None or game.players[seat] != by:  # the player may have left the seat
        raise refusals.NotSeated
    if seat in game.expired:
        raise refusals.OutOfTime(seat, can_return=can_rejoin(game, seat))
    if seen is not None and (seen > game.version or _is_stale(history, seat, named, seen)):
        raise refusals.StaleChoice(seat)
    if game.status != "running":
        raise refusals.IllegalMove(seat)
    try:
        return moved(rules, game, seat, command.move)
    except Illegal:
        raise refusals.IllegalMove(seat) from None


def _choose(rules: Rules, game: Game, _: None, command: commands.Choose[Any], _history: History) -> Decision:
    """The choice holds for this version only: its dice, and what the seat sees, can be others afterwards."""
    seat = command.seat
    if command.decided_on != game.version or game.status != "running" or game.bot_at(seat) not in rules.searches:
        raise refusals.StaleChoice(seat)
    return moved(rules, game, seat, command.move)


def _is_stale(history: History, seat: Seat, named: Seat | None, seen: int) -> bool:
    """Whether the player's choice at the version that they saw no longer exists.

    A hotseat player who names no seat had another choice if that of a lower seat has changed: otherwise none of these
    had one, and the choice was this seat's.
    """
    if named is not None:
        return history.choice_changed(seat, seen)
    return any(history.choice_changed(each, seen) for each in range(seat + 1))


Case: TypeAlias = Callable[[Rules, Game, Any, Any, History], Decision]

_CASES: Mapping[type[Any], Case] = {
    commands.Cancel: _cancel,
    commands.Abort: _abort,
    commands.Reveal: _reveal,
    commands.Join: _join,
    commands.Ready: _ready,
    commands.Leave: _leave,
    commands.TimeOut: _time_out,
    commands.Resume: _resume,
    commands.GiveTime: _give_time,
    commands.TakeBack: _take_back,
    commands.Vote: _vote,
    commands.AskForHint: _ask_for_hint,
    commands.Move: _move,
    commands.Choose: _choose,
}
