"""The choices of bots. A decision ends before the first one; `answered` goes on."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from domain.fairness.chance import Chance, Dice
from domain.game.consequences import Decision, moved
from domain.game.events import Rules
from domain.game.evolution import fold, redact
from domain.game.state import Game, dealing_id, secret_of
from domain.ruleset import Seat

Bots: TypeAlias = Callable[[Game, Seat, Sequence[Any]], Any]
"""The move of the bot at a seat that is to act: (the game, the seat, the events of this append so far)."""


def unseen(seat: Seat) -> Any:
    """For decisions in which no bot can be to act."""
    raise AssertionError(f"a bot at seat {seat} is to act, and nobody said what it sees")


def seeing(rules: Rules, before: Game, sight: Callable[[Seat], Game] = unseen) -> Bots:
    """Bots that choose from what their seats see, and from nothing else.

    `sight` is the game `before` the append as a seat sees it. It is asked for the seats of bots that choose in this
    append.
    """
    views: dict[Seat, tuple[Game, int]] = {}  # by seat: its view, and the number of events of the append in it

    def choose(game: Game, seat: Seat, caused: Sequence[Any]) -> Any:
        view, known = views.get(seat) or (sight(seat) if before.state is not None else before, 0)
        view = fold(rules, view, [redact(rules, event, seat) for event in caused[known:]])
        views[seat] = view, len(caused)
        return bots_choice(rules, game, seat, view.state)

    return choose


def bots_choice(rules: Rules, game: Game, seat: Seat, view: Any) -> Any:
    bot = game.bot_at(seat)
    assert bot is not None
    moves = rules.legal(view, seat)
    return moves[rules.bots[bot](view, seat, moves, dice(game, seat))]


def dice(game: Game, seat: Seat) -> Chance:
    """The random numbers of the choice that the bot at the seat has now."""
    return Dice(secret_of(game), dealing_id(game), game.entropies, seat, game.played)


def bot_to_act(decided: Decision) -> Seat | None:
    """The seat of the bot that has to choose next: the lowest one. None if no bot is to act."""
    return next(filter(decided.game.bot_at, decided.acting), None) if decided.game.bots else None


def answered(rules: Rules, decided: Decision, bots: Bots) -> Decision:
    """The decision with the choice of the next bot, and the events that follow without another choice."""
    game, seat = decided.game, bot_to_act(decided)
    assert seat is not None, "no bot is to act"
    more = moved(rules, game, seat, bots(game, seat, decided.events))
    return Decision(
        more.game, decided.events + more.events, decided.by + more.by, decided.moves + more.moves, more.acting
    )


def with_bots(rules: Rules, decided: Decision, bots: Bots) -> Decision:
    """The decision with the choices of all bots: afterwards no bot is to act while the game runs."""
    while bot_to_act(decided) is not None:
        decided = answered(rules, decided, bots)
    return decided
