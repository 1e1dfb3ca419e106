"""Games of people and bots on the aggregate: who sits where, and what every seat sees."""

from collections.abc import Callable
from random import Random
from typing import Any

from domain import game as aggregate
from domain.game import OPEN, Decision, Game, Rules, SeatTerms
from domain.ruleset import Seat
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, at_random


def person(seat: Seat) -> str:
    return f"p{seat}"


class Sitting:
    """A game and the views of all seats, as the service keeps them; every command goes through `append`.

    `sight` wraps what bots are shown; a planted fault shows them more.
    """

    def __init__(self, rules: Rules, game_id: str = ID, sight: Callable[["Sitting", Seat], Any] | None = None) -> None:
        self.rules, self.game = rules, Game(game_id)
        self.views: list[Game] = []
        self.decisions: list[Decision] = []
        self.shown = sight

    @property
    def events(self) -> list[Any]:
        return [event for decision in self.decisions for event in decision.events]

    @property
    def by(self) -> list[Seat | None]:
        return [seat for decision in self.decisions for seat in decision.by]

    @property
    def moves(self) -> list[Any]:
        return [move for decision in self.decisions for move in decision.moves]

    @property
    def bots(self) -> aggregate.Bots:
        return aggregate.seeing(self.rules, self.game, self.sight)

    def sight(self, seat: Seat) -> Any:
        return self.views[seat] if self.shown is None else self.shown(self, seat)

    def append(self, decision: Decision) -> Decision:
        self.decisions.append(decision)
        self.game = decision.game
        if not self.views:
            self.views = [Game(self.game.id)] * decision.events[0].seats
        for seat, view in enumerate(self.views):
            seen = [aggregate.redact(self.rules, event, seat) for event in decision.events]
            self.views[seat] = aggregate.fold(self.rules, view, seen)
        return decision

    def open(
        self, places: tuple[SeatTerms, ...], secret: bytes = bytes(32), options: Any = None, **terms: Any
    ) -> Decision:
        """Open the game and seat a player wherever no bot plays."""
        rules = self.rules
        deck = next(iter(rules.decks.values())).data
        opened = aggregate.terms(
            rules,
            len(places),
            options or rules.options(),
            deck,
            person(0),
            secret,
            aggregate.Agreed(places=places, **terms),
        )
        self.append(doing.open_game(rules, self.game.id, opened, sit=False, entropy=""))
        for seat in self.game.free:
            self.append(doing.join(rules, self.game, person(seat), seat, f"of {seat}"))
        return self.decisions[-1]

    def move(self, seat: Seat, chosen: Any) -> Decision:
        return self.append(doing.move(self.rules, self.game, seat, chosen, self.bots))

    def abandon(self, seat: Seat) -> Decision:
        moved = any(
            by == seat and type(event) not in aggregate.LIFECYCLE
            for event, by in zip(self.events, self.by, strict=True)
        )
        return self.append(doing.abandon(self.rules, self.game, person(seat), seat, moved=moved, bots=self.bots))

    def rejoin(self, seat: Seat) -> Decision:
        return self.append(doing.rejoin(self.rules, self.game, person(seat), seat, self.bots))

    def play(self, seed: int = 0, most: int = 2000) -> "Sitting":
        """Players choose at random until the game is over."""
        choose = at_random(Random(seed))
        while most and (choice := choose(self.rules, self.game)):
            self.move(*choice)
            most -= 1
        return self


def places(*bots: str | None) -> tuple[SeatTerms, ...]:
    """By seat the bot, or None for a player."""
    return tuple(OPEN if bot is None else SeatTerms(bot=bot) for bot in bots)
