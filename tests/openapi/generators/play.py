"""Plays whole games with the client that openapi-python-client has made: `python play.py URL`.

One game of Skyjo through its own types, then one of every ruleset through the routes for any ruleset.
"""

import sys
from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from stammtisch_client import AuthenticatedClient, Client
from stammtisch_client.api.games import game_events, game_legal_moves, game_look, game_move, game_open
from stammtisch_client.api.lobby import lobby
from stammtisch_client.api.players import register
from stammtisch_client.api.rulesets import rulesets
from stammtisch_client.api.skyjo import skyjo_legal_moves, skyjo_look, skyjo_move, skyjo_open
from stammtisch_client.models import (
    EventItemPage,
    Game,
    Identity,
    ListedMoves,
    LobbyGamePage,
    Moved,
    NewGame,
    NewPlayer,
    RulesetListedPage,
    SkyjoFlipMove,
    SkyjoGame,
    SkyjoIllegalMoveProblem,
    SkyjoListedMoves,
    SkyjoMoved,
    SkyjoNewGame,
    SkyjoOptionsInput,
    SkyjoSwapMove,
    Status,
)

MOST = 5000
"""A game takes fewer moves."""


class Typed(Protocol):
    @property
    def type_(self) -> str: ...


M = TypeVar("M", bound=Typed)
T = TypeVar("T")


def done(kind: type[T], answer: object) -> T:
    assert isinstance(answer, kind), answer
    return answer


def any_of(moves: Sequence[M], dice: Random) -> M:
    """Every kind of move equally often."""
    kind = dice.choice(sorted({move.type_ for move in moves}))
    return dice.choice([move for move in moves if move.type_ == kind])


def play_skyjo(client: AuthenticatedClient) -> int:
    """How many moves a game has taken."""
    dice = Random(1)
    new = SkyjoNewGame(seats=2, hotseat=True, options=SkyjoOptionsInput(target_points=30))
    game = done(SkyjoGame, skyjo_open.sync(client=client, body=new))
    assert game.options.target_points == 30 and game.options.double_only_positive and game.view is not None
    refused = skyjo_move.sync(game.id, client=client, body=SkyjoSwapMove(type_="swap", slot=0))
    assert isinstance(refused, SkyjoIllegalMoveProblem) and isinstance(refused.legal_moves[0], SkyjoFlipMove)
    for moves in range(MOST):
        if game.status is Status.FINISHED:
            assert game.result is not None and game.view is not None and game.view.phase == "over"
            return moves
        legal = done(SkyjoListedMoves, skyjo_legal_moves.sync(game.id, client=client))
        made = skyjo_move.sync(
            game.id, client=client, body=any_of(legal.legal_moves, dice), idempotency_key=str(moves),
            prefer="return=minimal",
        )  # fmt: skip
        assert done(SkyjoMoved, made).events
        game = done(SkyjoGame, skyjo_look.sync(game.id, client=client))
    raise AssertionError("the game does not end")


def play(ruleset: str, seats: int, client: AuthenticatedClient) -> int:
    """The same for a ruleset that the bot does not know."""
    dice = Random(2)
    game = done(Game, game_open.sync(ruleset, client=client, body=NewGame(seats=seats, hotseat=True)))
    for moves in range(MOST):
        if game.status is Status.FINISHED:
            assert game.result is not None and len(game.result.scores) == seats
            page = done(EventItemPage, game_events.sync(ruleset, game.id, client=client, limit=500))
            assert [entry.version for entry in page.items] == [*range(1, len(page.items) + 1)]
            assert {"opened", "begun"} <= {entry.event.type_ for entry in page.items}
            return moves
        legal = done(ListedMoves, game_legal_moves.sync(ruleset, game.id, client=client))
        made = done(Moved, game_move.sync(ruleset, game.id, client=client, body=any_of(legal.legal_moves, dice)))
        game = done(Game, made.game)
    raise AssertionError("the game does not end")


def main(url: str) -> None:
    ann = done(Identity, register.sync(client=Client(base_url=url), body=NewPlayer(name="Ann")))
    with AuthenticatedClient(base_url=url, token=ann.token) as client:
        played = {"skyjo, typed": play_skyjo(client)}
        for each in done(RulesetListedPage, rulesets.sync(client=client)).items:
            played[each.name] = play(each.name, each.seats.least, client)
        listed = done(LobbyGamePage, lobby.sync(client=client, status=Status.FINISHED, player=ann.id)).items
        assert len(listed) == len(played)
        for one in listed:
            assert done(Game, game_look.sync(one.ruleset, one.id, client=client)).status is Status.FINISHED
    print(", ".join(f"{name}: {moves} moves" for name, moves in played.items()))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
