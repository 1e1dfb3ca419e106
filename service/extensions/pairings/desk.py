"""What an application has of pairings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from domain.game import Rules
from service.core import Core
from service.extensions.pairings.pairings import Pairings
from service.extensions.pairings.resources import PairingResource
from service.extensions.pairings.rows import Pairing
from service.extensions.pairings.settings import PairingSettings
from service.extensions.pairings.stream import Watches
from service.extensions.pairings.sweeper import PairingSweeper
from service.extensions.pairings.views import Views
from service.settings import InvalidSettings, items


class Desk:
    def __init__(self, core: Core, rulesets: Mapping[str, Rules]) -> None:
        """Raises `InvalidSettings`."""
        self.core = core
        self.pairings = Pairings(core)
        self.views = Views(core)
        self.watches = Watches(core, self.pairings, self.views)
        self.daily = daily(core.settings.of(PairingSettings).days, rulesets)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        sweeper = PairingSweeper(self.core, self.pairings, self.daily)
        self.core.metrics.sweepers["pairings"] = sweeper
        sweeper.start()
        yield
        await sweeper.stop()

    def is_over(self, of: Pairing, seen: PairingResource) -> bool:
        """Whether all tables that there can be are over, as far as this viewer sees, and nothing is settled yet."""
        over = [table.status in ("finished", "aborted") for table in seen.tables]
        complete = of.state == "cancelled" or (of.most is not None and len(over) >= of.most)
        return not of.settled and of.day is None and complete and all(over)


def daily(text: str, rulesets: Mapping[str, Rules]) -> list[Rules]:
    """The rulesets that have a deal of the day. Raises `InvalidSettings`."""
    if text == "none":
        return []
    if text == "default":
        return [rules for rules in rulesets.values() if rules.daily]
    names = items(text)
    if missing := [name for name in names if name not in rulesets]:
        raise InvalidSettings(f"STAMMTISCH_DAYS: there is no ruleset {missing[0]}")
    return [rulesets[name] for name in names]
