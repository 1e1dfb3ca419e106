"""Questions to all players: to abort the game, or to take back a move.

The first yes asks. A question is decided in the append of the last yes that is needed, that of each player who is
present. Bots agree to everything.
"""

from typing import Any

from msgspec import UNSET

from domain.game import (
    Aborted,
    Bots,
    Decision,
    Game,
    Matter,
    NotRunning,
    NotSeated,
    Rules,
    TakenBack,
    Voted,
    agreed,
    decision,
    evolve,
)
from domain.messages import Event
from domain.ruleset import Seat
from domain.undo import Made, NotUndoable, last_move

MOST_QUESTIONS = 10
"""How many questions a seat can ask in one game: the log of a running game stays bounded."""


class CannotVote(Exception):
    """The player cannot vote this way now. The message says why; everything about votes is public."""


def vote(
    rules: Rules, now: Game, made: list[Made], player: str, matter: Matter, *, yes: bool, bots: Bots | None = None
) -> Decision:
    """Answer the open question; without one a yes asks it. A question about an undo is about the latest move of the
    player who asks, and about everything since. `made` are the latest appends.

    Raises `NotSeated`, `NotRunning`, `CannotVote`, `NotUndoable`.
    """
    seat = next(iter(now.seats_of(player)), None)
    if seat is None or seat in now.gone:
        raise NotSeated
    if now.status != "running":
        raise NotRunning
    seat, to = _asks(now, made, seat, matter) if now.question is None and yes else (seat, UNSET)
    question = now.question
    return _decision(rules, now, Voted(seat, matter, yes, question.to if question is not None else to), bots)


def ask_to_take_back(rules: Rules, now: Game, made: Made, bots: Bots | None = None) -> Decision:
    """Ask all players to let the seat take back this move. Raises `CannotVote`."""
    assert made.seat is not None
    return _decision(rules, now, Voted(made.seat, "undo", yes=True, to=made.to), bots)


def _decision(rules: Rules, now: Game, voted: Voted, bots: Bots | None) -> Decision:
    if wrong := cannot_vote(now, voted):
        raise CannotVote(wrong)
    return counted(rules, now, voted, bots)


def counted(rules: Rules, now: Game, voted: Voted, bots: Bots | None = None) -> Decision:
    """The decision with this vote and what it decides."""
    decided = outcome(evolve(rules, now, voted))
    return decision(rules, now, [voted, *decided], (voted.seat, *(None for _ in decided)), bots=bots)


def _asks(now: Game, made: list[Made], seat: Seat, matter: Matter) -> tuple[Seat, Any]:
    """The seat that asks a new question, and to which version it would go back."""
    if matter == "abort":
        return seat, UNSET
    if agreed(now).undo != "agreed":
        raise NotUndoable
    own = [last_move(now, made, each) for each in now.seats_of(now.players[seat] or "")]
    found = max([each for each in own if each is not None], key=lambda each: each.last, default=None)
    if found is None or found.seat is None:
        raise NotUndoable
    return found.seat, found.to


def cannot_vote(now: Game, voted: Voted) -> str | None:
    """Why the vote is not valid now; None if it is. Does not check what an undo would take back."""
    question = now.question
    if voted.seat not in now.present:
        return "The voter is not at the table."
    if question is None:
        if not voted.yes:
            return "There is no question to say no to."
        if now.asked.count(voted.seat) >= MOST_QUESTIONS:
            return f"A seat can ask {MOST_QUESTIONS} questions in a game."
        if voted.on == "undo" and (agreed(now).undo != "agreed" or voted.to is UNSET):
            return "In this game no move can be taken back by agreement."
        return None if (voted.on == "undo") == (voted.to is not UNSET) else "Only an undo goes back to a version."
    if question.on != voted.on:
        return f"Another question is open: {question.on}."
    if question.to != voted.to:
        return "The question is about another version."
    return "This player has agreed already." if voted.yes and voted.seat in question.yes else None


def outcome(now: Game) -> list[Event]:
    """What has to happen because all players who are present have agreed; [] if they have not."""
    question = now.question
    if question is None:
        return []
    if {now.players[seat] for seat in now.present} - {now.players[seat] for seat in question.yes}:
        return []
    if question.to is UNSET:
        return [Aborted("agreed")]
    return [TakenBack(question.seat, question.to, agreed=True)]
