"""Looks after pairings: opens what is due, ends what has waited for too long, reveals deals that are over, and makes
the deals of today and tomorrow. The process that leads does it every second."""

import logging
from collections.abc import Sequence

import msgspec

from domain.game import Rules
from domain.searching import ruler
from service import clock
from service.core import Core
from service.extensions.pairings import rows
from service.extensions.pairings.pairings import DAY, HOUR, Pairings, later, new_pairing
from service.extensions.pairings.rows import Terms
from service.games.periodic import Periodic

log = logging.getLogger(__name__)

INTERVAL = 1.0
"""Seconds between two rounds."""

AT_A_TIME = 200
"""Pairings that one round looks after: the longest due."""

SEATS = 3
"""The seats of a deal of the day, if the ruleset allows it."""


class PairingSweeper(Periodic):
    def __init__(self, core: Core, pairings: Pairings, daily: Sequence[Rules]) -> None:
        super().__init__("pairings", INTERVAL, log, "pairings cannot go on", core.leads)
        self._core, self._pairings, self._daily = core, pairings, daily
        self._made = ""
        """The last day whose deals exist."""

    async def sweep(self) -> None:
        failures = self._failures()
        await self.days()
        for each in await self._core.mutable.query(rows.due, clock.now(), AT_A_TIME):
            if self._stopping.is_set():
                return
            self.handled += 1
            again: str | None = later(clock.now(), 60)
            with failures.kept(each.id):
                await self._pairings.advance(each)
                again = await self._pairings.next_look(each)
            if again is not None:
                await self._core.mutable.change(rows.look_again, each.id, again)
        failures.raise_last()

    async def days(self) -> None:
        """Make the deals of today and tomorrow: tomorrow's commitment is public today."""
        today = clock.now()[:10]
        tomorrow = later(f"{today}T00:00:00.000000Z", DAY)[:10]
        if self._made >= tomorrow:
            return
        days = [of_day(rules, day) for rules in self._daily for day in (today, tomorrow)]
        await self._core.mutable.change(rows.create_days, days)
        self._made = tomorrow


def of_day(rules: Rules, day: str) -> rows.Pairing:
    """The pairing of the day: from midnight to midnight UTC, revealed an hour later. Its bots are those that reviews
    measure by: many people try it, and the strongest bot may take a hundred times as long to choose."""
    seats = SEATS if SEATS in rules.seats else rules.seats[0]
    bot = ruler(rules)
    begins = f"{day}T00:00:00.000000Z"
    closes = later(begins, DAY)
    terms = Terms(
        seats=seats, places=("me", *[bot] * (seats - 1)), deck=next(iter(rules.decks)), absent=bot,
        options=msgspec.to_builtins(msgspec.convert(dict(rules.board), rules.options)),
    )  # fmt: skip
    return new_pairing(
        clock.derived_id("day", day, rules.name), "", rules, terms, common=True, day=day, most=None, opens_at=begins,
        sit_until=None, closes_at=closes, until=later(closes, HOUR), request="",
    )  # fmt: skip
