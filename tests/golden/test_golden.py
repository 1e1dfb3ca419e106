"""Golden games never change: for every seat and for bystanders, in every event and every hash."""

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Rules
from domain.messages import Dealing
from domain.rulesets import VERSIONS
from tests import golden
from tests.golden import (
    FOLDER,
    Golden,
    all_games,
    classes,
    folder,
    freeze,
    lines,
    missing,
    read,
    soon_over,
    tags,
    tags_in,
)

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def files(rules: Rules) -> list[Path]:
    return sorted(folder(rules).glob("*.jsonl"))


every_game = pytest.mark.parametrize(
    ("rules", "file"),
    [
        pytest.param(rules, file, id=f"{rules.rules}-{file.stem}", marks=[pytest.mark.slow] * (number > 0))
        for rules in VERSIONS.values()
        for number, file in enumerate(files(rules))
    ],
)


@every_game
def test_every_viewer_sees_what_was_frozen(rules: Rules, file: Path):
    """Every event is encoded byte for byte as it was frozen."""
    played, frozen = read(rules, file)
    assert [msgspec.json.encode(step) for step in lines(played)] == [msgspec.json.encode(step) for step in frozen]


@every_game
def test_a_golden_game_passes_verification(rules: Rules, file: Path):
    """Every hash, every deal, and the replay of the rules."""
    played, _ = read(rules, file)
    checks = verify(record.of(played.id, played.log))
    assert [check for check in checks if check.ok is not True] == []
    assert {"heads", "commitment", "rules", "deals"} <= {check.name for check in checks}


@every_version
def test_every_version_of_a_ruleset_has_golden_games(rules: Rules):
    """For every number of seats, every class of values of every option, every event type: `make golden` adds them."""
    games = [read(rules, file)[0] for file in files(rules)]
    assert len(games) >= 3, "run `make golden`"
    openings = [played.log[0].event for played in games]
    assert {opened.seats for opened in openings} == set(rules.seats)
    for option, values in classes(rules).items():
        assert {getattr(opened.options, option) for opened in openings} >= set(values)
    assert set().union(*map(tags_in, games)) >= tags(rules)
    assert {played.log[-2].event.__struct_config__.tag for played in games} == {"ended", "aborted"}
    assert any(opened.parent for opened in openings)
    assert any(
        isinstance(entry.event, Dealing) for played in games if played.log[0].event.parent for entry in played.log
    )


def test_the_rules_of_every_golden_game_are_registered():
    """A version stays registered as long as games have it."""
    kept = {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert kept == {folder(rules).name for rules in VERSIONS.values()}


@cache
def made(rules: Rules) -> list[tuple[str, Golden]]:
    return [*all_games(rules)]


@every_version
def test_the_same_games_are_played_again(rules: Rules):
    """Generation is deterministic: the missing games are the same wherever they are added."""
    assert made(rules) == [*all_games(rules)]


@pytest.mark.slow
@every_version
def test_games_are_added_and_never_rewritten(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("stammtisch.testing.golden.all_games", made)
    added = freeze(missing(rules, tmp_path))
    assert {file.name for file in added} == {"description.json", *(file.name for file in files(rules))}
    touched, gone, *_ = added
    before = gone.read_bytes()
    touched.write_bytes(b"as it was")
    gone.unlink()
    assert freeze(missing(rules, tmp_path)) == [gone]
    assert (touched.read_bytes(), gone.read_bytes()) == (b"as it was", before)


# --- the checks bite ----------------------------------------------------------------------------------------------


@every_version
def test_an_event_that_is_shown_to_somebody_else_is_noticed(rules: Rules):
    played, frozen = read(rules, files(rules)[0])
    open_to_all = dataclasses.replace(rules, redact=lambda event, _viewer: event)
    assert [step.seen for step in lines(played._replace(rules=open_to_all))] != [step.seen for step in frozen]


@every_version
def test_a_state_that_develops_otherwise_is_noticed(rules: Rules):
    played, frozen = read(rules, files(rules)[0])
    stuck = dataclasses.replace(
        rules, evolve=lambda state, event: state if isinstance(event, Dealing) else rules.evolve(state, event)
    )
    try:
        seen = [step.seen for step in lines(played._replace(rules=stuck))]
    except Exception:
        return  # it did not even get to the end
    assert seen != [step.seen for step in frozen]


def test_the_values_that_make_a_difference():
    info: Any = msgspec.inspect
    assert golden.kinds_of(info.BoolType(), True) == [False, True]
    assert golden.kinds_of(info.LiteralType(values=("a", "b")), "a") == ["a", "b"]
    assert golden.kinds_of(info.IntType(ge=1, le=1000), 100) == [1, 300]
    assert golden.kinds_of(info.IntType(ge=1, le=200), 100) == [1, 200]
    assert (soon_over([100, 1, 300]), soon_over([False, True])) == (1, None)
