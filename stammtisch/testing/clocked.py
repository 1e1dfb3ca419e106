"""Games with a clock: decided, timed and written as the service does, at times that the test chooses."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

from msgspec import UnsetType

from domain import game as aggregate
from domain.fairness import chain
from domain.game import LIFECYCLE, Decision, timekeeping
from domain.game.clock import SECOND, Clock, microseconds
from domain.game.log import Stored, written
from domain.ruleset import Seat
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, Rules
from stammtisch.testing.seats import Sitting, person, places

START = microseconds("2026-11-20T08:00:00.000000Z")
SECRET = bytes(range(32))


def text_of(time: int) -> str:
    """This many microseconds after 1970, as entries of the log have it."""
    return (datetime(1970, 1, 1) + timedelta(microseconds=time)).isoformat(timespec="microseconds") + "Z"


class Clocked(Sitting):
    """A game whose commands happen at `now` (microseconds).

    A planted fault: expiries are decided by a clock that is `ahead` of the log's.
    """

    def __init__(self, rules: Rules, *, ahead: int = 0) -> None:
        super().__init__(rules)
        self.log: list[Stored[Any, Any]] = []
        self.times: timekeeping.Times | None = None
        self.now, self.ahead = START, ahead

    def append(self, decision: Decision) -> Decision:
        head = bytes.fromhex(self.log[-1].head) if self.log else chain.root(ID)
        entries = written(self.rules, decision, head, text_of(self.now))
        self.log += entries
        self.times = timekeeping.advance(self.times, entries)
        if decision.game.status == "waiting":
            self.later(1)
        return super().append(decision)

    def begin(self, clock: Clock | UnsetType, *bots: str | None, absent: str = "random/1", **terms: Any) -> "Clocked":
        """Open a game with these bots (None: a player). It begins at START; the players join second by second."""
        self.now = START - bots.count(None) * SECOND
        self.open(places(*bots), SECRET, absent=absent, clock=clock, **terms)
        return self

    def moved(self) -> set[Seat]:
        """The seats whose players have made a move."""
        game, found = aggregate.Game(ID), set[Seat]()
        for entry in self.log:
            if entry.by is not None and type(entry.event) not in LIFECYCLE and not game.bot_at(entry.by):
                found.add(entry.by)
            game = aggregate.evolve(self.rules, game, entry.event) if type(entry.event) in LIFECYCLE else game
        return found

    def expire(self) -> tuple[Seat, ...]:
        """Remove the players who have run out of time."""
        overdue = () if self.times is None else self.times.overdue(self.now + self.ahead)
        if overdue:
            self.append(doing.time_out(self.rules, self.game, overdue, self.moved(), self.bots))
        return overdue

    def later(self, seconds: float) -> "Clocked":
        self.now += round(seconds * SECOND)
        return self

    def grant(self, giver: Seat, seat: Seat, seconds: int) -> Decision:
        return self.append(doing.grant(self.rules, self.game, person(giver), seat, seconds, self.bots))

    def outage(self, seconds: float) -> Decision:
        """Nobody can move for this time; players whose time ran get it back."""
        self.later(seconds)
        return self.append(doing.resume(self.rules, self.game, int(seconds * 1000)))

    def some_move(self, dice: Random, seat: Seat) -> Decision:
        return self.move(seat, dice.choice(aggregate.legal(self.rules, self.game, seat)))

    def random_command(self, dice: Random) -> None:
        """Some time passes, then what is due happens, then a player does something."""
        self.later(dice.choice((0, 0.25, 1, dice.uniform(0, 20), dice.uniform(0, 20))))
        self.expire()
        game = self.game
        if game.status != "running":
            return
        seat, chance = dice.choice(game.present), dice.random()
        others = [other for other in game.present if other != seat]
        back = [other for other in game.gone if game.departures.count(other) < aggregate.STAYS]
        if chance < 0.02 and self.times is not None:
            self.outage(dice.choice((5, dice.uniform(5, 60))))
        elif chance < 0.05 and others:
            if most := aggregate.most_granted(game, other := dice.choice(others)):
                self.grant(seat, other, dice.randint(1, most))
        elif chance < 0.07 and others:
            self.abandon(seat)
        elif chance < 0.13 and back:
            self.rejoin(dice.choice(back))
        else:
            self.some_move(dice, dice.choice(aggregate.to_act(self.rules, game)))

    def play_out(self, seed: int, most: int = 400) -> "Clocked":
        dice = Random(seed)
        while self.game.status == "running" and most:
            self.random_command(dice)
            most -= 1
        return self
