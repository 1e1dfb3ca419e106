"""The first choice in which two games of the same deal differ."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from domain.game import Rules
from domain.game.log import Stored, standing_entries
from domain.ruleset import Seat
from service.core import Core
from service.extensions.pairings.resources import PairingDifference
from service.games.cached_game import CachedGame

MOST = 8
"""Pairs of choices for which a view is folded to see whether they make a difference."""


class Choice(NamedTuple):
    """`version`: of the game before it."""

    seat: Seat
    version: int
    move: Any


class Difference(NamedTuple):
    """`same`: the number of choices before it that are the same, or make no difference. `choices`: one of each game."""

    same: int
    choices: tuple[Choice, Choice] | None


def choices(entries: Sequence[Stored[Any, Any]], seats: Collection[Seat]) -> list[Choice]:
    """The choices of these seats that stand, in their order."""
    return [
        Choice(each.by, each.version - 1, each.move)
        for each in standing_entries(entries) if each.by in seats and each.by is not None and each.move is not UNSET
    ]  # fmt: skip


async def difference(
    rules: Rules, one: Sequence[Choice], other: Sequence[Choice], view: Callable[[Choice], Awaitable[Any]]
) -> Difference:
    """`view`: the state that the seat of a choice of the first game saw before it."""
    looks = 0
    for number, (ours, theirs) in enumerate(zip(one, other, strict=False)):
        if (ours.seat, ours.move) != (theirs.seat, theirs.move):
            looks += 1
            alike = looks <= MOST and ours.seat == theirs.seat
            if not alike or not rules.indifferent(await view(ours), ours.move, theirs.move):
                return Difference(number, (ours, theirs))
    return Difference(min(len(one), len(other)), None)


async def between(
    core: Core, one: CachedGame, other: CachedGame, seats: Collection[Seat], reader: str
) -> PairingDifference:  # fmt: skip
    """The first difference in the choices of these seats. Raises `Unavailable`."""
    found, views = [], dict[int, Any]()
    for each in (one, other):
        async with core.games.long_read(reader, each.game.version):
            found.append(choices(await core.games.log(each), seats))

    async def view(choice: Choice) -> Any:
        if choice.version not in views:
            views[choice.version] = (await core.games.view(one, choice.seat, choice.version, reader)).state
        return views[choice.version]

    same, parted = await difference(one.rules, found[0], found[1], view)
    if parted is None:
        return PairingDifference(same, None, None, None)
    ours, theirs = parted
    legal = len(one.rules.legal(await view(ours), ours.seat))
    return PairingDifference(same, ours.seat, legal, (ours.version, theirs.version))
