"""The instruments of the benchmarks are right."""

import asyncio
import sysconfig
from itertools import repeat
from time import perf_counter

import msgspec
import pytest

from domain.game import Joined
from domain.game.log import Stored, stored_type
from domain.rulesets import RULESETS
from service.interpreter import compiled_modules
from tests.bench.anatomy import INTERRUPTED, LOOP, PARTS, Clock, cost
from tests.bench.growth import Written, again, person, public
from tests.bench.interpreter import build, interpreter, modules
from tests.golden import decisions_of, golden

RULES = next(iter(RULESETS.values()))
BUSY = INTERRUPTED / 4


@pytest.fixture(scope="module")
def copied() -> list[Stored[object, object]]:
    played = next(public(RULES))
    rows = [Written.of(RULES, entry) for entry in played.log]
    copy = again(played, rows, "a new id", [person(7), person(8), person(9)])
    return [msgspec.json.decode(row.value, type=stored_type(RULES)) for row in copy]


def test_a_game_that_was_copied_has_the_hashes_of_its_own_events(copied: list[Stored[object, object]]) -> None:
    made = golden(RULES, "a new id", decisions_of(RULES, "a new id", copied), copied[0].at)
    assert copied == [*made.log]


def test_a_game_that_was_copied_has_other_players(copied: list[Stored[object, object]]) -> None:
    seated = {entry.event.player for entry in copied if isinstance(entry.event, Joined)}
    assert seated == {person(number) for number in range(7, 7 + min(RULES.seats))}


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_made_of_functions_that_there_are(part: str) -> None:
    assert all(callable(getattr(place, name)) for place, name in PARTS[part])


def busy() -> None:
    until = perf_counter() + BUSY
    while perf_counter() < until:
        pass


def test_what_a_part_calls_and_waits_for_is_not_its_own_time() -> None:
    clock = Clock()
    inner = clock.wrap("inner", busy)

    async def outer() -> None:
        busy()
        inner()
        await asyncio.sleep(20 * BUSY)
        inner()

    asyncio.run(clock.wrap("outer", outer)())
    calls = {(caller, called): number for (caller, called, _), number in clock.calls.items()}
    assert calls == {(LOOP, "outer"): 2, ("outer", "inner"): 2}
    # A call during which another process had the core is left out.
    assert clock.spent["outer"] < 2 * BUSY + INTERRUPTED
    assert clock.spent["inner"] < 2 * BUSY + 2 * INTERRUPTED
    assert clock.spent["inner"] > 0 or clock.spent["outer"] > 0


def test_an_exception_comes_through_a_clock_and_stops_it() -> None:
    clock = Clock()

    async def waits() -> None:
        await asyncio.sleep(60)

    async def cancelled() -> None:
        task = asyncio.ensure_future(clock.wrap("waits", waits)())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert clock.calls == {(LOOP, "waits", True): 2}


@pytest.mark.parametrize("steps", [False, True])
def test_what_a_clock_takes_is_taken_away(steps: bool) -> None:
    clock, costs = Clock(), {each: cost(each, 10) for each in (False, True)}
    for _ in repeat(None, 10):
        clock.enter("part", steps)
        clock.leave()
    assert clock.clocks(costs) == pytest.approx(10 * sum(costs[steps]))
    assert clock.corrected(costs)["part"] == pytest.approx(clock.spent["part"] - 10 * costs[steps].inside)


def test_the_build_of_the_interpreter_is_known_by_its_options() -> None:
    assert build("'--prefix=/usr' '--enable-optimizations'") == "built with PGO and without LTO"
    assert build("--with-lto --enable-optimizations") == "built with PGO and with LTO"
    assert build("") == "built without PGO and without LTO"
    assert build(None) == "of an unknown build"
    assert build(sysconfig.get_config_var("CONFIG_ARGS")) in interpreter()


def test_the_first_line_tells_which_modules_are_compiled() -> None:
    assert modules("") == "nothing compiled"
    assert modules("57 modules of domain, 14 of service") == "compiled: 57 modules of domain, 14 of service"
    assert interpreter().endswith(modules(compiled_modules()))
