"""What follows from events without another choice: the beginning, the dealer, the end."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec import UNSET

from domain.game.events import Aborted, Begun, Ended, Revealed, Rules
from domain.game.evolution import after_dealt, after_played, evolve, fold, room_for_more
from domain.game.state import Game, agreed, chance, to_act
from domain.messages import Dealing, Value
from domain.ruleset import Seat


class Decision(Value):
    """The outcome of a command: the game after it, its events, and what belongs to each event.

    `by`: the seat that caused the event (None: no seat). `moves`: the move, where the event is the first that a seat's
    choice caused, otherwise UNSET. `acting`: the seats that have a choice afterwards.
    """

    game: Game
    events: tuple[Any, ...]
    by: tuple[Seat | None, ...]
    moves: tuple[Any, ...]
    acting: tuple[Seat, ...]


def decision(
    rules: Rules, game: Game, events: Iterable[Any], by: tuple[Seat | None, ...], chosen: Any = UNSET
) -> Decision:
    """These events, caused by the seats in `by`, and all events that follow without a choice: up to the first choice of
    a player or a bot. `chosen` is the move that caused the events, if it was a move."""
    caused = list(events)
    after = fold(rules, game, caused)
    acting = to_act(rules, after)
    if acting and after.version < after.longest:  # as after most moves: nothing follows
        return Decision(after, tuple(caused), by, (chosen,) + (UNSET,) * (len(caused) - 1), acting)
    if after.status == "waiting" and not after.free and not after.unready:
        caused.append(Begun())
        after = evolve(rules, after, Begun())
    if after.status == "running":
        after, acting = _settled(rules, after, caused)
        if (result := rules.outcome(after.state)) is not None:
            caused.append(Ended(result))
            after = evolve(rules, after, caused[-1])
        elif after.version >= after.longest:
            caused.append(Aborted("longest"))
            after = evolve(rules, after, caused[-1])
    if after.status in ("finished", "aborted"):
        terms, acting = agreed(after), ()
        if terms.deal is UNSET and not after.revealed:  # in a common deal others still play the same cards
            assert terms.secret is not None
            caused.append(Revealed(terms.secret))
            after = evolve(rules, after, caused[-1])
    happened = len(caused)
    by += (None,) * (happened - len(by))
    moves = (chosen,) + (UNSET,) * (happened - 1)
    return Decision(after, tuple(caused), by, moves, acting)


def _settled(rules: Rules, game: Game, caused: list[Any]) -> tuple[Game, tuple[Seat, ...]]:
    """The game after all dealer steps that are due, and who acts then; their events are added to `caused`."""
    state, dealt, acting, _ = rules.settle(game.state, partial(chance, game), game.deals)
    if not dealt:
        return game, tuple(acting)
    caused += dealt
    if len(dealt) > room_for_more(game) or sum([isinstance(event, Dealing) for event in dealt]) > 1:
        return after_played(rules, game, dealt), tuple(acting)
    return after_dealt(game, dealt, state), tuple(acting)


def moved(rules: Rules, game: Game, seat: Seat, move: Any) -> Decision:
    """The decision with the move of the seat, a player's or a bot's. Raises `Illegal`."""
    events = rules.decide(game.state, seat, move)
    return decision(rules, game, events, (seat,) * len(events), move)
