"""No timing leaks: the work for an answer does not depend on cards hidden from the viewer.

Work is the number of calls of each function in the domain, the only layer that sees cards. Caches are cleared before
each world, because only the first request does the work.

What play channels send to others because of a move does not count: it lists their legal moves, which depend on cards
that the mover may not see. It is sent after the answer to the move is written (`Channels.wake`), which a test holds.
"""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from domain import game as aggregate
from domain.ruleset import Ruleset
from domain.rulesets import RULESETS
from service.channel.channels import Channels
from tests.campaigns.leaks.play import LOOKS, Terms
from tests.campaigns.leaks.session import SAY, Exchange, Work
from tests.campaigns.leaks.worlds import Leak, World, both, exchange_at_random, side_by_side

pytestmark = [pytest.mark.anyio, pytest.mark.turns("rulesets")]

LAYER = aggregate.__name__.removesuffix("game")
DOMAIN = str(Path(str(aggregate.__file__)).parents[1])
ELSEWHERE = {
    "put", "bots_of", "builtins", "is_storable", "is_bot", "microseconds", "_to_the_second", "_days",
    "Player.__post_init__", "<genexpr>", "<lambda>",
}  # fmt: skip
"""Functions that the projections call too, at times of their own; and functions without a name."""
CHECKED = tuple(look for look in LOOKS if look != "the audit")
"""An audit applies the rules to hidden cards: see SECURITY.md."""


class Counting:
    """Counts calls in this thread and in all threads that start meanwhile."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self.paused = False

    def worked(self) -> Work:
        done, self._calls = self._calls, Counter()
        return done

    def called(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if (
            event == "call"
            and not self.paused
            and ELSEWHERE.isdisjoint((code.co_name, code.co_qualname))
            and code.co_filename.startswith(DOMAIN)
        ):
            self._calls[code.co_qualname] += 1


@contextmanager
def counting() -> Iterator[Counting]:
    count, before = Counting(), sys.getprofile()
    threading.setprofile(count.called)
    sys.setprofile(count.called)
    try:
        yield count
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]


async def worked(folder: Path, terms: Terms, exchange: Exchange) -> tuple[World, World]:
    with counting() as count, pytest.MonkeyPatch.context() as patch:
        deliver = Channels._deliver

        def uncounted(channels: Channels) -> None:
            count.paused = True
            try:
                deliver(channels)
            finally:
                count.paused = False

        patch.setattr(Channels, "_deliver", uncounted)
        return await both(folder, terms, exchange, worked=count.worked, begin=forget)


def forget() -> None:
    """Clear all caches of functions in the domain, and what the rulesets have computed of themselves."""
    modules = [module for name, module in sys.modules.items() if name.startswith(LAYER)]
    for known in [known for module in modules for known in vars(module).values()]:
        if hasattr(known, "cache_clear"):
            known.cache_clear()
    for rules in RULESETS.values():
        for name, attribute in vars(Ruleset).items():
            if isinstance(attribute, cached_property):
                vars(rules).pop(name, None)


def same_work(terms: Terms, ours: World, theirs: World) -> int:
    """The number of answers that took the same work though the tables differed. Raises Leak."""
    same = 0
    for a, b, blind, differ in side_by_side(terms, ours, theirs):
        if a.asked.viewer.seat in blind:
            if a.work != b.work:
                more, less = Counter(a.work) - Counter(b.work), Counter(b.work) - Counter(a.work)
                raise Leak(f"{a.asked.viewer.name}: {a.asked.what} takes {dict(more)} more and {dict(less)} less")
            same += differ and bool(a.work)
    return same


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_the_work_does_not_depend_on_hidden_cards(ruleset: str, tmp_path: Path) -> None:
    terms = Terms(ruleset, RULESETS[ruleset].seats[1], seed=5, moves=8, looks=3, of=CHECKED)
    ours, theirs = await worked(tmp_path, terms, exchange_at_random(terms, Random(5)))
    assert any(turn.asked.method == SAY and turn.work for turn in ours.turns)
    assert same_work(terms, ours, theirs) > 0


@pytest.mark.checked
async def test_a_difference_in_work_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ruleset = next(iter(RULESETS))
    terms = Terms(ruleset, 2, seed=1, moves=2, looks=1, of=("legal moves",))
    exchange = exchange_at_random(terms, Random(1))
    legal = aggregate.legal

    def longer(rules: Any, game: Any, seat: int) -> Any:
        for _ in range(hash(repr(game.state)) % 100):
            aggregate.to_act(rules, game)
        return legal(rules, game, seat)

    monkeypatch.setattr(aggregate, "legal", longer)
    ours, theirs = await worked(tmp_path, terms, exchange)
    with pytest.raises(Leak, match="takes"):
        same_work(terms, ours, theirs)
