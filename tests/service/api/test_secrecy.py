"""No answer hints at a hidden card: in two games that differ in hidden cards only, a seat is answered alike."""

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from domain.fairness.chance import Dealer
from domain.game import Game, consequences
from tests.support.clients import Caller, any_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

STEPS = 40


class Exchanging(Dealer):
    """Deals like any other, but after the first shuffle of a game the cards at these pairs of places lie exchanged."""

    __slots__ = ("pairs", "shuffles", "step")

    def shuffled(self, items: Any) -> tuple[Any, ...]:
        cards = list(super().shuffled(items))
        self.shuffles.append(self.step)
        for one, other in self.pairs if self.step == self.shuffles[0] else []:
            if max(one, other) < len(cards):
                cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)


Exchanged = dict[str, list[tuple[int, int]]]


@pytest.fixture
def exchanged(monkeypatch: pytest.MonkeyPatch) -> Exchanged:
    """All games deal the same cards; in these, by id, some cards of the first deal lie exchanged."""
    games: Exchanged = {}
    shuffles: dict[str, list[int]] = defaultdict(list)

    def dealer(game: Game, event: str, count: int) -> Dealer:
        step = game.dealt
        made = Exchanging(bytes(32), "the same for all", (), event, count)
        made.pairs, made.shuffles, made.step = games.get(game.id, []), shuffles[game.id], step
        return made

    monkeypatch.setattr(consequences, "chance", dealer)
    return games


async def dealt(players: list[Caller], ruleset: str, exchanged: Exchanged, dice: Random, pairs: int) -> list[str]:
    """Two games that differ in up to this many pairs of cards, which some viewer cannot tell apart."""
    while True:
        worlds = [await players[0].open(ruleset) for _ in range(2)]
        places = dice.sample(range(72), 2 * pairs)
        exchanged[worlds[1].rpartition("/")[2]] = list(zip(places[::2], places[1::2], strict=True))
        for world in worlds:
            for player in players[1:]:
                await player.sit(world)
        if any([await told(player, worlds[0]) == await told(player, worlds[1]) for player in players]):
            return worlds
        pairs = max(1, pairs - 1)


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


@pytest.mark.parametrize(("seed", "pairs"), [*((seed, 20) for seed in range(6)), (6, 2), (7, 1), (8, 1)])
async def test_who_has_not_been_told_the_difference_is_answered_alike(
    players: list[Caller], ruleset: str, exchanged: Exchanged, seed: int, pairs: int
) -> None:
    dice = Random(seed)
    worlds = await dealt(players, ruleset, exchanged, dice, pairs)
    known: list[Any] = []
    for _ in range(STEPS):
        blind = [who for who in players if await told(who, worlds[0]) == await told(who, worlds[1])]
        for who in blind:
            assert await answered(who, worlds[0], known) == await answered(who, worlds[1], known)
        if not (acting := (await players[0].look(worlds[0]))["to_act"]):
            return
        mover = players[dice.choice(acting)]
        chosen = any_of(await mover.moves(worlds[0]), dice)
        if not blind or chosen not in await mover.moves(worlds[1]):
            return
        known = [*[move for move in known if move != chosen], chosen][-8:]
        for world in worlds:
            await mover.move(world, chosen)
