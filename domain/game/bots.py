"""The choices of bots. A decision ends before the first one; `answered` goes on.

Most bots choose in the append that gives them the choice. A search takes long, so the game waits for such a bot as for
a player: `sight` and `lot` are all that its choice needs, and the command `Choose` brings the move back.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from domain.fairness.chance import Chance, Dice
from domain.game.consequences import Decision, moved
from domain.game.events import LIFECYCLE, Rules
from domain.game.evolution import fold, redact, stands
from domain.game.state import Game, dealing_id, initial, secret_of
from domain.ruleset import Seat, Sight

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


def bot_to_act(rules: Rules, decided: Decision) -> Seat | None:
    """The seat of the bot that has to choose next, in this append: the lowest one. None if there is none."""
    game = decided.game
    return next((seat for seat in decided.acting if game.bot_at(seat) in rules.bots), None) if game.bots else None


def searching(rules: Rules, game: Game, acting: Sequence[Seat]) -> Seat | None:
    """The lowest of the seats that have a choice which a bot plays that searches; None if there is none."""
    return next((seat for seat in acting if game.bot_at(seat) in rules.searches), None) if game.bots else None


def sight(rules: Rules, game: Game, seat: Seat, events: Sequence[Any]) -> Sight:
    """What the seat knows of the running game, from all of its events."""
    seen = [rules.redact(event, seat) for event in stands(events) if type(event) not in LIFECYCLE]
    start = initial(rules, game)
    view = rules.fold(start, seen)
    return Sight(start, seen, view, seat, rules.legal(view, seat))


def lot(game: Game, seat: Seat) -> int:
    """What decides the search of the bot at the seat, which has a choice now: one lot of its dice."""
    return dice(game, seat).below(2**32)


def answered(rules: Rules, decided: Decision, bots: Bots) -> Decision:
    """The decision with the choice of the next bot, and the events that follow without another choice."""
    game, seat = decided.game, bot_to_act(rules, decided)
    assert seat is not None, "no bot is to act"
    more = moved(rules, game, seat, bots(game, seat, decided.events))
    return Decision(
        more.game, decided.events + more.events, decided.by + more.by, decided.moves + more.moves, more.acting
    )


def with_bots(rules: Rules, decided: Decision, bots: Bots) -> Decision:
    """The decision with the choices of all bots: afterwards only bots that search have a choice."""
    while bot_to_act(rules, decided) is not None:
        decided = answered(rules, decided, bots)
    return decided
