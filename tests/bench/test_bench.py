"""The instruments of the benchmarks are right."""

import msgspec
import pytest

from domain.game import Joined
from domain.game.log import Stored, stored_type
from domain.rulesets import RULESETS
from tests.bench import __main__ as bench
from tests.bench import within
from tests.bench.growth import Written, again, person, public
from tests.golden import decisions_of, golden

RULES = next(iter(RULESETS.values()))


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


def test_a_part_is_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RULESETS", {RULES.name: RULES})
    bench.main(["engine", "cold"], bench.Effort(quick=True, games=None))
    told = capsys.readouterr().out
    assert f"| {RULES.name}: random play in the engine | " in told
    assert f"| {RULES.name}: opening a cold game of " in told and "| 2.5 or less for 500 events |" in told


def test_a_ratio_that_is_exceeded_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(bench.REVIEWED, "1.3 ms", "1.0 ms", "1.30")]
    monkeypatch.setitem(bench.PARTS, "reviews", lambda _: rows)
    assert bench.main(["reviews"], bench.Effort(quick=True, games=None)) == 1
    rows[:] = [(bench.REVIEWED, "1.2 ms", "1.0 ms", "1.20")]
    assert bench.main(["reviews"], bench.Effort(quick=True, games=None)) == 0


def test_a_ratio_that_is_not_reached_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(bench.COMMITS, "300/s", "100/s", "3.0")]
    monkeypatch.setitem(bench.PARTS, "appends", lambda _: rows)
    assert bench.main(["appends"], bench.Effort(quick=True, games=None)) == 1
    rows[:] = [(bench.COMMITS, "600/s", "100/s", "6.0")]
    assert bench.main(["appends"], bench.Effort(quick=True, games=None)) == 0


def test_a_figure_that_misses_its_limit_fails_the_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for value, status in ((31, 0), (33, 1)):
        monkeypatch.setitem(
            bench.PARTS, "pages", lambda _, value=value: [("pixels", within(f"{value} ms", (value, 32)))]
        )
        assert bench.main(["pages"], bench.Effort(quick=True, games=None)) == status
    assert "| pixels | 31 ms |" in (told := capsys.readouterr().out) and "| pixels | **33 ms** |" in told
