"""What cards do, in words: complete, in both languages, and different for cards that do different things."""

from string import Formatter
from typing import Any

import pytest
from hypothesis import assume, given
from msgspec import UNSET
from msgspec.structs import replace

from domain.bundled import captions as templates
from domain.game import Rules
from domain.rulesets import RULESETS
from domain.rulesets.scandaroon.captions import captions as of_scandaroon
from domain.rulesets.scandaroon.deck import Face, Filter, ScandaroonDeckData, faults
from domain.rulesets.scopinion.table import PrintedCard, ScopinionDeckData
from tests.kit.values import values

LANGUAGES = "en", "de"
both = pytest.mark.parametrize("language", LANGUAGES)
every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


@every_ruleset
def test_every_deck_has_captions_in_both_languages(rules: Rules):
    for deck in rules.decks.values():
        found = rules.captions(deck)
        assert set(found) == set(LANGUAGES)
        assert found["en"].keys() == found["de"].keys()
        for texts in found.values():
            for text in texts.values():
                assert text.endswith(".")
                assert not set("{}[]_") & set(text), text


@every_ruleset
def test_both_languages_have_the_same_templates(rules: Rules):
    if not (found := templates(rules.home)):
        return
    assert set(found) == set(LANGUAGES)
    assert found["en"].keys() == found["de"].keys()
    for name in found["en"]:
        english, german = ({field for _, field, *_ in Formatter().parse(found[each][name])} for each in LANGUAGES)
        assert english == german, name


def test_every_card_with_an_effect_has_a_caption():
    rules = RULESETS["scandaroon"]
    (deck,) = rules.decks.values()
    plain = {face.id for face in deck.data.cards if not (face.effect or face.ability or face.end or face.play_anywhere)}
    assert rules.captions(deck)["en"].keys() == {face.id for face in deck.data.cards} - plain
    assert plain


def faces(name: str) -> Any:
    """Valid cards of any deck."""
    return values(Face).map(lambda face: replace(face, id=name)).filter(lambda face: not [*faults(face)])


def meaning(face: Face) -> Any:
    """What a card does, without what makes no difference."""

    def plain(part: Any) -> Any:
        if isinstance(part, Filter) and part.min is UNSET and part.max is UNSET:
            return replace(part, compare="base")
        return part

    ability = face.ability
    if ability is not None:
        ability = type(ability)(*[plain(getattr(ability, field)) for field in ability.__struct_fields__])
    return face.effect, ability, face.end, face.play_anywhere


@pytest.mark.slow
@given(one=faces("one"), other=faces("other"))
def test_cards_that_do_different_things_have_different_captions(one: Face, other: Face):
    assume(meaning(one) != meaning(other))
    stone = RULESETS["scandaroon"].decks["reconstruction-1"].data.stone
    data = ScandaroonDeckData("scandaroon", "random", "", stone, (one, other))
    for language in LANGUAGES:
        texts = of_scandaroon(data, templates(RULESETS["scandaroon"].home)[language])
        assert texts.get("one") != texts.get("other")
        for text in texts.values():
            assert not set("{}") & set(text)


@both
def test_every_mark_of_a_card_is_told(language: str):
    rules = RULESETS["scopinion"]
    words = templates(RULESETS["scopinion"].home)[language]
    plain = PrintedCard("c9-1", "central", 9)
    marked = [
        replace(plain, **change)
        for change in (
            {"green": 1}, {"red": 1}, {"spades": 1}, {"border": True}, {"bolt": True}, {"arrow": True}, {"mix": True},
            {"value": 0}, {"value": 1}, {"value": 2}, {"value": 3}, {"kind": "start"},
        )
    ]  # fmt: skip
    told = set[str]()
    for card in (plain, *marked):
        (text,) = rules.caption(ScopinionDeckData("scopinion", "x", "", (card,)), words).values()
        told.add(text)
    assert len(told) == len(marked) + 1


def test_captions_in_words():
    found = RULESETS["scandaroon"].captions(RULESETS["scandaroon"].decks["reconstruction-1"])
    assert found["en"]["T3b"] == (
        "Once: swap a card of your row with a card of another row, if their base values differ by at most 2."
    )
    assert found["de"]["S0"] == "Solange sie liegt: -3 für die Karte links daneben. Darf an jede Reihe gelegt werden."


def test_every_action_card_has_a_caption():
    rules = RULESETS["skyjo_action"]
    (deck,) = rules.decks.values()
    assert rules.captions(deck)["en"].keys() == {name for name, many in deck.data.actions.items() if many}
