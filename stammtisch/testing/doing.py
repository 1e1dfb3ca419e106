"""Commands in short forms, and the choices of bots after them. `bots` is by default what sees nothing of a game that
has begun; with `later` their choices are left out."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import UNSET

from domain import game as aggregate
from domain.game import Bots, Decision, Game, Opened, Recorded, Rules
from domain.game.commands import Abort, Cancel, Command, GiveTime, Join, Leave, Move, Resume, TakeBack, TimeOut, Vote
from domain.game.events import Matter
from domain.game.undo import Made
from domain.ruleset import Seat


def later(_game: Game, _seat: Seat, _caused: Sequence[Any]) -> Any:
    raise AssertionError("the choices of bots are left out")


def answered(rules: Rules, before: Game, decided: Decision, bots: Bots | None = None) -> Decision:
    if bots is later:
        return decided
    return aggregate.with_bots(rules, decided, bots or aggregate.seeing(rules, before))


def act(
    rules: Rules, game: Game, by: str | None, command: Command, bots: Bots | None = None,
    history: aggregate.History | None = None,
) -> Decision:  # fmt: skip
    return answered(rules, game, aggregate.decide(rules, game, by, command, history or Recorded()), bots)


def decision(
    rules: Rules, game: Game, events: Sequence[Any], by: tuple[Seat | None, ...], chosen: Any = UNSET,
    bots: Bots | None = None,
) -> Decision:  # fmt: skip
    return answered(rules, game, aggregate.decision(rules, game, events, by, chosen), bots)


def open_game(
    rules: Rules, game_id: str, opened: Opened[Any, Any], *, sit: bool, entropy: str, bots: Bots | None = None
) -> Decision:
    decided = aggregate.open_game(rules, game_id, opened, sit=sit, entropy=entropy)
    return answered(rules, Game(game_id), decided, bots)


def join(rules: Rules, game: Game, player: str, seat: Seat | None, entropy: str, bots: Bots | None = None) -> Decision:
    return act(rules, game, player, Join(seat, entropy), bots)


def leave(rules: Rules, game: Game, player: str, seat: Seat) -> Decision:
    return act(rules, game, player, Leave(seat))


decline = leave


def cancel(rules: Rules, game: Game, player: str) -> Decision:
    return act(rules, game, player, Cancel())


def expire(rules: Rules, game: Game) -> Decision:
    return act(rules, game, None, Abort("expired"))


def stop(rules: Rules, game: Game) -> Decision:
    return act(rules, game, None, Abort("operator"))


def abandon(rules: Rules, game: Game, player: str, seat: Seat, *, moved: bool, bots: Bots | None = None) -> Decision:
    return act(rules, game, player, Leave(seat, running=True), bots, Recorded(moved=(seat,) if moved else ()))


def rejoin(rules: Rules, game: Game, player: str, seat: Seat, bots: Bots | None = None) -> Decision:
    return act(rules, game, player, Join(seat), bots)


def time_out(
    rules: Rules, game: Game, seats: Sequence[Seat], moved: Collection[Seat], bots: Bots | None = None
) -> Decision:
    return act(rules, game, None, TimeOut(tuple(seats)), bots, Recorded(moved=moved))


def resume(rules: Rules, game: Game, milliseconds: int) -> Decision:
    return act(rules, game, None, Resume(milliseconds))


def grant(
    rules: Rules, game: Game, player: str, seat: Seat, seconds: int, bots: Bots | None = None
) -> Decision:  # fmt: skip
    return act(rules, game, player, GiveTime(seat, seconds), bots)


def move(rules: Rules, game: Game, seat: Seat, chosen: Any, bots: Bots | None = None) -> Decision:
    """The move of the seat, whoever plays there."""
    return act(rules, game, game.players[seat] if game.players else None, Move(chosen, seat), bots)


class Undoable(Recorded):
    """A history with appends that can be taken back; `silent` says whether the latest revealed nothing."""

    silent: Callable[[], bool] = lambda: False

    def revealed_nothing(self) -> bool:
        return self.silent()


def take_back(
    rules: Rules, game: Game, made: Sequence[Made], player: str, version: int, silent: Callable[[], bool],
    bots: Bots | None = None,
) -> Decision:  # fmt: skip
    return act(rules, game, player, TakeBack(version), bots, Undoable(made=made, silent=silent))


def vote(
    rules: Rules, game: Game, made: Sequence[Made], player: str, matter: Matter, *, yes: bool, bots: Bots | None = None
) -> Decision:
    return act(rules, game, player, Vote(matter, yes), bots, Recorded(made=made))
