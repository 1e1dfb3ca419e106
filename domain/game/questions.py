"""Questions to all players: to abort the game, or to take back a move.

The first yes asks. A question is decided in the append of the last yes that is needed, that of each player who is
present. Bots agree to everything.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain.game.consequences import Decision, decision
from domain.game.events import Aborted, Matter, Rules, TakenBack, Voted
from domain.game.evolution import evolve
from domain.game.refusals import NotUndoable
from domain.game.state import Game, agreed
from domain.game.undo import Made, last_move
from domain.messages import Event
from domain.ruleset import Seat

MOST_QUESTIONS = 10
"""How many questions a seat can ask in one game: the log of a running game stays bounded."""


class CannotVote(Exception):
    """The player cannot vote this way now. The message says why; everything about votes is public."""


def voted(rules: Rules, now: Game, vote: Voted) -> Decision:
    """The decision with this vote. Raises `CannotVote`."""
    if wrong := cannot_vote(now, vote):
        raise CannotVote(wrong)
    return settled(rules, now, vote, vote.seat)


def settled(rules: Rules, now: Game, event: Event, by: Seat | None) -> Decision:
    """The decision with this event of the lifecycle. If it decides the open question, what was asked happens."""
    decided = outcome(evolve(rules, now, event))
    return decision(rules, now, [event, *decided], (by, *(None for _ in decided)))


def wants_back(event: Any) -> int | None:
    """The version to which a player agrees to go back by this event; None if by none."""
    return event.to if isinstance(event, Voted) and event.yes and isinstance(event.to, int) else None


def asks(now: Game, made: Sequence[Made], seat: Seat, matter: Matter) -> tuple[Seat, Any]:
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


def cannot_vote(now: Game, vote: Voted) -> str | None:
    """Why the vote is not valid now; None if it is. Does not check what an undo would take back."""
    question = now.question
    if vote.seat not in now.present:
        return "The voter is not at the table."
    if question is None:
        if not vote.yes:
            return "There is no question to say no to."
        if now.asked.count(vote.seat) >= MOST_QUESTIONS:
            return f"A seat can ask {MOST_QUESTIONS} questions in a game."
        if vote.on == "undo" and (agreed(now).undo != "agreed" or vote.to is UNSET):
            return "In this game no move can be taken back by agreement."
        return None if (vote.on == "undo") == (vote.to is not UNSET) else "Only an undo goes back to a version."
    if question.on != vote.on:
        return f"Another question is open: {question.on}."
    if question.to != vote.to:
        return "The question is about another version."
    return "This player has agreed already." if vote.yes and vote.seat in question.yes else None


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
