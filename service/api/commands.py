"""What a caller does in a game: the access checks and the use case, for REST and the play channel alike.

A command has two parts, because a request is checked in this order: the game, the caller's access to it, the content of
the request, the command.
"""

from typing import Any

from domain.game import Rules
from service.api.input.access import GameAccess
from service.games.cached_game import CachedGame
from service.games.games import Change, Done, Games
from service.games.idempotency import command_of
from service.identity.players import Players


async def enter_to_move(
    games: Games, rules: Rules, game_id: str, player: str, invite: str | None
) -> tuple[CachedGame, GameAccess]:
    """The game and the player's access to it, possibly behind the log: `make_move` checks the log anyway.

    Raises `NoSuchGame`, `Unavailable`.
    """
    cached = games.running(rules, game_id) or await games.find(rules, game_id)
    return cached, GameAccess(cached.header, player, invite)


async def make_move(
    games: Games, cached: CachedGame, access: GameAccess, player: str, chosen: Any,
    *, as_: str | None, key: str | None, decided_on: int | None,
) -> Change:  # fmt: skip
    """Make a move. `as_`, `key` and `decided_on` are optional: the perspective, the idempotency key, and the version
    on which the client decided. Afterwards `access` is current.

    Raises `ProblemError` and the errors of `Games.move`.
    """
    access.renew(cached.header)
    seat = access.named_seat(as_)
    if as_ is not None:
        access.perspective(as_)  # one that is not allowed must fail before the move, not after it
    change = await games.move(cached, player, seat, chosen, command_of(player, key, "move", as_, chosen), decided_on)
    access.renew(cached.header)
    return change


def move_at_once(
    games: Games, cached: CachedGame, access: GameAccess, player: str, chosen: Any,
    *, as_: str | None, key: str | None, decided_on: int | None, done: Done,
) -> bool:  # fmt: skip
    """The same without a task, see `Games.move_at_once`."""
    seat = access.named_seat(as_)
    if as_ is not None:
        access.perspective(as_)
    return games.move_at_once(
        cached, player, seat, chosen, command_of(player, key, "move", as_, chosen), decided_on, done
    )


async def take_seat(games: Games, cached: CachedGame, player: str, new: Any, key: str | None) -> Change:
    """Take a seat as `NewSeat` says. Raises the errors of `Games.join`."""
    return await games.join(cached, player, new.seat, new.entropy, command_of(player, key, "sit down", new))


async def give_time(games: Games, cached: CachedGame, player: str, new: Any, key: str | None) -> Change:
    """Give time as `NewTime` says. Raises the errors of `Games.give_time`."""
    return await games.give_time(cached, player, new.seat, new.seconds, command_of(player, key, "give time", new))


async def take_back(games: Games, cached: CachedGame, player: str, version: int, key: str | None) -> Change:
    """Take back a move. Raises the errors of `Games.take_back`."""
    return await games.take_back(cached, player, version, command_of(player, key, "take back", version))


async def cast_vote(games: Games, cached: CachedGame, player: str, new: Any, key: str | None) -> Change:
    """Vote as `NewVote` says. Raises the errors of `Games.vote`."""
    return await games.vote(cached, player, new.on, new.yes, command_of(player, key, "vote", new))


async def repeat_game(
    games: Games, players: Players, cached: CachedGame, player: str, new: Any, key: str | None
) -> tuple[CachedGame, Change | None]:
    """Open the rematch of a game, or sit down in it. Raises the errors of `Games.rematch`."""
    command = command_of(player, key, "rematch", cached.game.id, new)
    return await games.rematch(cached, player, new.entropy, command, players.forgotten)


async def leave_seat(
    games: Games, cached: CachedGame, player: str, seat: int, key: str | None, *, running: bool
) -> Change:
    """Leave the seat before the game begins; with `running` also afterwards.

    Raises the errors of `Games.leave` and `Games.abandon`.
    """
    if running:
        return await games.abandon(cached, player, seat, command_of(player, key, "leave", str(seat)))
    return await games.leave(cached, player, seat, command_of(player, key, "stand up", str(seat)))
