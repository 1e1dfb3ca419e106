"""Recorded games under changed rules: what is the same stays the same, every planted change is noticed."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace as but
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from agents.comparing import Change, Compared, compared, moves_of
from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Record
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.ruleset import Illegal
from domain.rulesets import RULESETS, VERSIONS
from service.__main__ import main
from stammtisch.testing.undoing import chosen, undoing
from tests import golden
from tests.golden import read
from tests.kit.mutated import mutants
from tests.verifiers import samples

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

AnyRecord = Record[Any, Any, Any, Any]


@pytest.fixture(scope="module")
def played() -> AnyRecord:
    return samples.shortest(RULESETS["skyjo"], 2)


def under(record: AnyRecord, rules: Rules, options: dict[str, Any] | None = None, deck: Any = None) -> Compared:
    found = compared(record, Change(rules, options, deck))
    assert found is not None
    return found


@every_ruleset
def test_every_game_is_the_same_under_its_own_rules(rules: Rules):
    """Games of people, branches, and games that nobody finished."""
    whole = samples.shortest(rules, rules.seats[0])
    assert under(whole, rules) == Compared(whole.id, "same")
    branch = samples.branched(rules, 0)
    if branch.result is not None:
        assert under(branch, rules) == Compared(branch.id, "same")
    assert compared(samples.running(rules, rules.seats[0], 0), Change(rules)) is None


def test_the_moves_of_a_record_are_those_that_were_made(played: AnyRecord):
    made = [*moves_of(played)]
    assert [each.version for each in made] == [each.version for each in played.events if each.move is not UNSET]
    assert {each.seat for each in made} == {0, 1}


def telling_otherwise(rules: Rules) -> Rules:
    """The points of a round are told by falling seats."""

    def decide(state: Any, seat: Any, move: Any) -> list[Any]:
        events = rules.decide(state, seat, move)
        return [
            replace(e, points=tuple(reversed(e.points))) if type(e).__name__ == "RoundScored" else e for e in events
        ]

    return but(rules, decide=decide)


def scoring_more(rules: Rules) -> Rules:
    """The end is told as it was, and counted otherwise."""

    def result(state: Any) -> Any:
        found = rules.result(state)
        return found and replace(found, scores=tuple([points + 1 for points in found.scores]))

    return but(rules, result=result)


def forbidding(rules: Rules) -> Rules:
    """Discards cannot be taken."""

    def decide(state: Any, seat: Any, move: Any) -> list[Any]:
        if type(move).__name__ == "Take":
            raise Illegal
        return rules.decide(state, seat, move)

    return but(rules, decide=decide)


def dealing_otherwise(rules: Rules) -> Rules:
    def deal(state: Any, chance: Any) -> list[Any]:
        chance.below(2)
        return rules.deal(state, chance)

    return but(rules, deal=deal)


def asking_somebody_else(rules: Rules) -> Rules:
    """The turn goes around the other way."""

    def settle_on(state: Any) -> Any:
        seats = rules.to_act(state)
        return tuple([len(state.layouts) - 1 - seat for seat in seats]) if state.phase == "turn" else seats

    return but(rules, to_act=settle_on)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (telling_otherwise, {"told", "result"}), (scoring_more, {"result"}), (forbidding, {"illegal"}),
        (dealing_otherwise, {"deal"}), (asking_somebody_else, {"open"}),
    ],
)  # fmt: skip
def test_a_changed_rule_is_noticed(change: Callable[[Rules], Rules], outcome: set[str], played: AnyRecord):
    """`evolve` is the same in all of them: whoever replayed the events would notice nothing."""
    rules = RULESETS["skyjo"]
    found = under(played, change(rules))
    assert found.outcome in outcome
    assert found.version is not None
    if found.outcome == "illegal":
        assert found.before == "take"


def test_more_points_are_asked_for_than_were_played(played: AnyRecord):
    found = under(played, RULESETS["skyjo"], {"target_points": 1000})
    assert (found.outcome, found.before, found.after) == ("open", None, None)


def test_another_deck_is_another_deal(played: AnyRecord):
    rules = RULESETS["skyjo"]
    data = replace(played.deck, numbers={**played.deck.numbers, "0": 16})
    assert under(played, rules, deck=data).outcome == "deal"
    assert under(played, rules, deck=replace(data, numbers={"0": 3})).outcome == "setup"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Counts, examples, JSON, and a sample that does not depend on the order of the games."""
    rules = RULESETS["skyjo"]
    games = [samples.finished(rules, 2, seed) for seed in range(4)]
    texts = [encode(replace(game, id=game.id)) + b"\n" for game in games]
    one, other = tmp_path / "games.ndjson", tmp_path / "turned.ndjson.gz"
    one.write_bytes(b"".join(texts))
    other.write_bytes(gzip.compress(b"".join(reversed(texts))))
    assert main(["compare", "skyjo/1", "skyjo/1", str(one)]) == 0
    told = capsys.readouterr().out
    assert "4 games of skyjo/1 under skyjo/1" in told
    assert "100.00%" in told
    assert main(["compare", "skyjo/1", "skyjo/1", str(one), "--option", "target_points=1000", "--json"]) == 0
    assert {json.loads(line)["outcome"] for line in capsys.readouterr().out.splitlines()} == {"open"}
    shown = []
    for file in (one, other):
        assert main(["compare", "skyjo/1", "skyjo/1", str(file), "--sample", "2", "--json"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].count("\n") == 2
    database = str(tmp_path / "games.sqlite")
    one.write_bytes(texts[0])
    assert main(["import", str(one), "--database", database]) == 0
    capsys.readouterr()
    assert main(["compare", "skyjo/1", "skyjo/1", "--database", database, "--json"]) == 0
    assert {json.loads(line)["outcome"] for line in capsys.readouterr().out.splitlines()} == {"same"}
    assert main(["compare", "scout/1", "scout/1", str(one)]) == 0
    assert "0 games of scout/1 under scout/1; 1 of other rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("skyjo/9 skyjo/1 x", "no rules 'skyjo/9'"),
        ("skyjo/1 skyjo/9 x", "no rules 'skyjo/9'"),
        ("skyjo/1 nowhere:RULES x", "nowhere"),
        ("skyjo/1 json:loads x", "no `Ruleset`"),
        ("skyjo/1 skyjo/1", "files or from `--database`"),
        ("skyjo/1 skyjo/1 x --sample 0", "at least one game"),
        ("skyjo/1 skyjo/1 x --option speed=1", "not an option"),
        ("skyjo/1 skyjo/1 x --deck nowhere.json", "nowhere.json"),
    ],
)
def test_bad_arguments_are_refused(arguments: str, complaint: str, capsys: pytest.CaptureFixture[str]):
    assert main(["compare", *arguments.split()]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.out == ""


def test_a_line_that_is_no_record_is_told_and_the_rest_compared(
    tmp_path: Path, played: AnyRecord, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "games.ndjson"
    file.write_bytes(encode(played) + b"\n{}\n")
    assert main(["compare", "skyjo/1", "skyjo/1", str(file)]) == 1
    told = capsys.readouterr()
    assert "games.ndjson:2" in told.err
    assert "1 games of skyjo/1 under skyjo/1; 0 of other rules, 0 without a result, 1 unreadable" in told.out


def test_moves_that_were_taken_back_do_not_count():
    """What stands is replayed, and is the same."""
    rules = RULESETS["scout"]
    sitting = undoing(rules, None, None)
    [seat, *_] = rules.to_act(sitting.game.state)
    sitting.move(seat, rules.legal(sitting.game.state, seat)[1])
    assert sitting.take_back(seat) is not None
    sitting.play(seed=3)
    whole = record.of(sitting.game.id, sitting.log)
    assert "taken_back" in [entry.event.__struct_config__.tag for entry in whole.events]
    assert under(whole, rules) == Compared(whole.id, "same")
    assert [(made.seat, made.move) for made in moves_of(whole)] == chosen(sitting)


@pytest.mark.by_default("skyjo/1")
@every_ruleset
def test_every_mutant_that_golden_games_notice_is_noticed(rules: Rules, monkeypatch: pytest.MonkeyPatch):
    """And no other: what replays without a fault is the same. Every fourth mutant, in the shortest golden game."""
    games = [read(rules, file)[0] for file in sorted(golden.folder(rules).glob("*.jsonl"))]
    records = [record.of(each.id, each.log) for each in sorted(games, key=lambda game: len(game.log))]
    shortest = next(each for each in records if each.result is not None)
    noticed = silent = 0
    for place, mutant in mutants(rules, 4):
        with monkeypatch.context() as patched:
            patched.setitem(VERSIONS, rules.rules, mutant)
            told = not flawless(verify(shortest))
        try:
            found = compared(shortest, Change(mutant))
        except Exception:
            assert told, f"{place}: only the comparison fails"
            continue
        assert found is not None
        assert (found.outcome != "same") == told, f"{place}: {found}"
        noticed, silent = noticed + told, silent + (not told)
    assert noticed > 3
    assert silent > 0, "some faults do not matter in some games"
