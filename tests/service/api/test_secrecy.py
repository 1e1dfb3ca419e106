"""No answer hints at a hidden card: in two games that differ in hidden cards only, a seat is answered alike."""

from random import Random
from typing import Any

import pytest

from domain import game as aggregate
from domain.chance import Dealer
from domain.game import Game
from tests.clients import Caller, any_of

pytestmark = pytest.mark.anyio

STEPS = 40


class Exchanging(Dealer):
    """Deals like any other, but two cards lie exchanged."""

    __slots__ = ("places",)

    def shuffled(self, items: Any) -> tuple[Any, ...]:
        cards = list(super().shuffled(items))
        one, other = (place % len(cards) for place in self.places)
        cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)


@pytest.fixture
def exchanged(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """All games deal the same cards; in these, by id, the cards at two places of the first deal are exchanged."""
    places: dict[str, tuple[int, int]] = {}

    def dealer(game: Game, step: int) -> Dealer:
        known = places.get(game.id) if step == 0 else None
        made = (Dealer if known is None else Exchanging)(bytes(32), "the same for all", (), step)
        if isinstance(made, Exchanging):
            made.places = known
        return made

    monkeypatch.setattr(aggregate, "chance", dealer)
    return places


async def told(who: Caller, game: str) -> list[Any]:
    """What the seat has been told of the cards."""
    return [event["event"] for event in await who.events(game, limit=500) if event["event"]["type"] != "opened"]


async def answered(who: Caller, game: str, known: list[Any]) -> list[Any]:
    """Whatever else the seat gets to see: its choices, and how what it may not do is refused."""
    seen = await who.look(game)
    answers = [seen[name] for name in ("version", "to_act", "decision", "view", "legal_moves", "result")]
    for move in [*known, {"type": "nope"}, None]:
        if move not in seen["legal_moves"]:
            answer = await who.post(f"{game}/moves", move)
            assert answer.status_code in (400, 409)
            answers.append((answer.status_code, sorted(answer.headers.items()), answer.content))
    return answers


@pytest.mark.parametrize("seed", range(4))
async def test_who_has_not_seen_the_difference_is_answered_alike(
    players: list[Caller], ruleset: str, exchanged: dict[str, tuple[int, int]], seed: int
) -> None:
    dice = Random(seed)
    worlds = [await players[0].open(ruleset) for _ in range(2)]
    one, other = dice.sample(range(70), 2)
    exchanged[worlds[1].rpartition("/")[2]] = one, other
    for world in worlds:
        for player in players[1:]:
            await player.sit(world)
    known: list[Any] = []
    compared = 0
    for _ in range(STEPS):
        for player in players:
            if await told(player, worlds[0]) == await told(player, worlds[1]):
                assert await answered(player, worlds[0], known) == await answered(player, worlds[1], known)
                compared += 1
        mover = players[dice.choice((await players[0].look(worlds[0]))["to_act"])]
        chosen = any_of(await mover.moves(worlds[0]), dice)
        if chosen not in await mover.moves(worlds[1]):
            break
        known = [*[move for move in known if move != chosen], chosen][-8:]
        for world in worlds:
            await mover.move(world, chosen)
    assert compared
