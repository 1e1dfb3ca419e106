"""What an author reads when a law is broken: law, event, seat, what to do, and the command that repeats it."""

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.bundled import Prompt
from domain.game import Rules, log
from domain.rulesets import RULESETS
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import Dealt
from stammtisch.testing import Broken, check, laws_of
from stammtisch.testing.broken import LAWS, MOST
from stammtisch.testing.checking import obey
from tests.domain import test_laws_bite as faults
from tests.domain.test_laws_bite import planted

pytestmark = pytest.mark.slow

DICE = Random(1)


def features_of_nothing(_: Any, __: int) -> list[int]:
    return [0]


def features_grow(state: Any, _: int) -> list[int]:
    return [*range(len(state.discard))]


def imagine_sees_the_backs(_: Any, seen: Any, __: int, ___: Any) -> list[Any]:
    return [*seen]


def deal_throws_dice(state: Any, chance: Any) -> list[Any]:
    events = SKYJO.deal(state, chance)
    return (
        [replace(events[0], draw=tuple(DICE.sample(events[0].draw, len(events[0].draw)))), *events[1:]]
        if events
        else []
    )


def deal_shuffles_again(state: Any, chance: Any) -> list[Any]:
    """By the rules of nobody else: verifiers would call the deal wrong."""
    return [
        replace(event, draw=chance.shuffled(event.draw)) if isinstance(event, Dealt) else event
        for event in SKYJO.deal(state, chance)
    ]


def redact_shows_the_oldest_card(event: Any, viewer: Any) -> Any:
    shown = SKYJO.redact(event, viewer)
    return replace(shown, draw=(event.draw[0], *shown.draw[1:])) if isinstance(event, Dealt) else shown


def with_a_bot_out_of_range() -> Rules:
    return dataclasses.replace(SKYJO, bots={"random/1": lambda _state, _seat, moves, _dice: len(moves)})


def with_a_sentence_about_nothing() -> Rules:
    rules = dataclasses.replace(SKYJO)
    labels = {
        name: replace(each, sentences={**each.sentences, "drawn": "{who}"}) for name, each in SKYJO.labels.items()
    }
    rules.__dict__["labels"] = labels
    return rules


def with_a_label_of_nothing() -> Rules:
    rules = dataclasses.replace(SKYJO)
    rules.__dict__["labels"] = {name: replace(each, moves={"jump": "Jump"}) for name, each in SKYJO.labels.items()}
    return rules


def with_a_quiet_event_of_nothing() -> Rules:
    rules = dataclasses.replace(SKYJO)
    rules.__dict__["labels"] = {name: replace(each, quiet=("jumped",)) for name, each in SKYJO.labels.items()}
    return rules


def with_a_nameless_part() -> Rules:
    rules = dataclasses.replace(SKYJO)
    rules.__dict__["labels"] = {name: replace(each, parts={}) for name, each in SKYJO.labels.items()}
    return rules


def with_prompts(more: dict[str, Prompt]) -> Rules:
    rules = dataclasses.replace(SKYJO)
    labels = {name: replace(each, prompts={**each.prompts, **more}) for name, each in SKYJO.labels.items()}
    rules.__dict__["labels"] = labels
    return rules


def with_a_question_about_nothing() -> Rules:
    return with_prompts({"place": Prompt(ask="Where does the {card:card} go?")})


def with_two_questions() -> Rules:
    return with_prompts(
        {"turn (too)": Prompt(ask="Draw?", when=("discard",)), "turn (top)": Prompt(ask="Take?", when=("draw",))}
    )


def evolve_names_a_seat_that_is_not_there(state: Any, event: Any) -> Any:
    evolved = SKYJO.evolve(state, event)
    return replace(evolved, starter=len(evolved.layouts)) if evolved.phase == "over" else evolved


FAULTS: list[tuple[str, Callable[..., Any]]] = [
    ("playing", faults.legal_offers_what_is_refused),
    ("replay", faults.decide_throws_dice),
    ("shadow", faults.evolve_peeks),
    ("legality", faults.legal_peeks_at_the_stock),
    ("redaction", faults.redact_changes_a_face),
    ("secrecy", faults.redact_forgets_the_stock),
    ("wire", faults.decide_writes_a_list),
    ("completeness", faults.decide_explains),
    ("conservation", faults.evolve_loses_a_card),
    ("dealing", faults.decide_deals),
    ("fairness", deal_throws_dice),
    ("description", deal_shuffles_again),
    ("description", redact_shows_the_oldest_card),
    ("tally", faults.tally_peeks),
    ("features", features_of_nothing),
    ("features", features_grow),
    ("bots", with_a_bot_out_of_range),
    ("labels", with_a_sentence_about_nothing),
    ("labels", with_a_label_of_nothing),
    ("labels", with_a_quiet_event_of_nothing),
    ("labels", with_a_nameless_part),
    ("labels", with_a_question_about_nothing),
    ("labels", with_two_questions),
    ("marks", evolve_names_a_seat_that_is_not_there),
    ("two_worlds", faults.redact_shows_the_drawn_card_to_all),
    ("termination", faults.result_without_winners),
    ("imagined", imagine_sees_the_backs),
    ("undo", faults.decide_throws_dice),
]


def with_fault(fault: Callable[..., Any]) -> Rules:
    rules: Rules = fault() if fault.__name__.startswith("with_") else planted(fault)
    return rules


def readable(broken: Broken, law: str) -> None:
    text = str(broken)
    assert len(text) <= MOST
    assert text.startswith(f"skyjo/1 breaks the law {law!r}: {LAWS[law].says}\n")
    parts = {line[2:8].strip(): line[8:] for line in text.splitlines()[1:]}
    assert parts["what"]
    assert parts["do"] == LAWS[law].do
    assert parts["at"].startswith("event ") or (law, parts["at"]) == ("labels", "labels.json")
    command = parts["again"].split()
    assert command[:5] == ["stammtisch", "check", "skyjo", "--law", law]
    assert [command[5], command[7]] == ["--seats", "--seed"]


@pytest.mark.parametrize(("law", "fault"), FAULTS, ids=[f"{law}-{fault.__name__}" for law, fault in FAULTS])
def test_a_broken_law_says_where_and_what_to_do_and_is_repeated_by_its_command(law: str, fault: Callable[..., Any]):
    rules = with_fault(fault)
    (report,) = check(rules, games=8, laws=(law,), seats=3)
    assert report.broken is not None
    readable(report.broken, law)
    words = str(report.broken).split()
    seats, seed = int(words[words.index("--seats") + 1]), int(words[words.index("--seed") + 1])
    with pytest.raises(Broken) as again:
        obey(rules, law, seats, seed)
    assert again.value.law == law


def test_a_move_that_others_learn_is_named(monkeypatch: pytest.MonkeyPatch):
    faults.a_move_is_shown_to_the_next_seat(monkeypatch)
    assert log.redacted.__name__ == "shown"
    (report,) = check(SKYJO, games=4, laws=("moves",), seats=3)
    assert report.broken is not None
    readable(report.broken, "moves")


def test_a_fault_is_planted_for_every_law():
    assert {law for law, _ in FAULTS} | {"moves"} == {*LAWS}


def test_a_refused_move_is_no_broken_replay():
    (report,) = check(with_fault(faults.legal_offers_what_is_refused), games=4, laws=("replay",), seats=2)
    assert report.broken is not None
    assert report.broken.law == "playing"


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_our_games_obey_the_laws_as_authors_check_them(rules: Rules):
    """The laws that other tests check with other means are left out."""
    mine = ("playing", "description", "features", "bots", "labels", "tally", "imagined", "undo")
    for report in check(rules, games=2, laws=mine, seats=rules.seats[0]):
        assert report.broken is None, report.broken
        assert report.games


def test_there_is_a_case_for_each_law_and_number_of_seats():
    marks = laws_of(SKYJO).pytestmark  # type: ignore[attr-defined]
    assert {mark.args[0]: [*mark.args[1]] for mark in marks} == {"law": [*LAWS], "seats": [*SKYJO.seats]}
