"""What can be played, described for programs that have never heard of it."""

import msgspec
import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.support.clients import Caller, done, problem

pytestmark = pytest.mark.anyio


async def test_every_ruleset_is_listed_with_its_title_and_seats(stranger: Caller) -> None:
    listed = await stranger.every("/v1/rulesets")
    assert [each["name"] for each in listed] == list(RULESETS)
    for each, rules in zip(listed, RULESETS.values(), strict=True):
        for language, labels in rules.labels.items():
            shown = each["labels"][language]
            assert shown["options"] == labels.options
            assert {*shown["values"]} <= {*shown["options"]}
            assert (shown["title"], shown["summary"], [*shown["bots"]]) == (labels.title, labels.summary, each["bots"])
        assert each["default_options"] == msgspec.json.decode(msgspec.json.encode(rules.options()))
        assert (each["minutes"], each["difficulty"]) == (rules.minutes, rules.difficulty)
        assert each["seats"] == {"least": min(rules.seats), "most": max(rules.seats)}
        assert done(await stranger.get(each["href"]))["name"] == each["name"]


async def test_a_ruleset_is_described_by_schemas_defaults_decks_and_labels(stranger: Caller, rules: Rules) -> None:
    described = done(await stranger.get(f"/v1/rulesets/{rules.name}"))
    assert set(described["schemas"]) == {"options", "move", "event", "view", "deck"}
    assert described["default_options"] == msgspec.json.decode(msgspec.json.encode(rules.options()))
    assert [deck["name"] for deck in described["decks"]] == list(rules.decks)
    assert all(deck["provenance"] for deck in described["decks"])
    assert set(described["labels"]) == {"en", "de"}


async def test_a_deck_is_served_card_for_card(stranger: Caller, rules: Rules) -> None:
    for name, deck in rules.decks.items():
        answer = await stranger.get(f"/v1/rulesets/{rules.name}/decks/{name}")
        assert msgspec.json.decode(answer.content, type=rules.deck.data_type) == deck.data


async def test_what_never_changes_may_be_cached_by_anybody(stranger: Caller, rules: Rules) -> None:
    for path in ("/v1/rulesets", f"/v1/rulesets/{rules.name}"):
        assert (await stranger.get(path)).headers["cache-control"].startswith("public")


async def test_unknown_rulesets_and_decks_are_not_found(stranger: Caller, ruleset: str) -> None:
    for path in ("/v1/rulesets/nope", "/v1/rulesets/nope/decks/nope", f"/v1/rulesets/{ruleset}/decks/nope"):
        problem(await stranger.get(path), 404, "not-found")


async def test_a_deck_has_captions_of_its_cards(stranger: Caller, rules: Rules) -> None:
    for name, deck in rules.decks.items():
        place = f"/v1/rulesets/{rules.name}/decks/{name}"
        captions = done(await stranger.get(f"{place}/captions"))
        assert captions == rules.captions(deck)
        assert set(captions) == {"en", "de"}
    problem(await stranger.get(f"/v1/rulesets/{rules.name}/decks/nope/captions"), 404, "not-found")


async def test_the_rules_and_the_cards_can_be_read_in_one_answer(stranger: Caller, rules: Rules) -> None:
    """Every numbered card is there, with what is printed on it; every caption stands beside its card."""
    for name, deck in rules.decks.items():
        explained = done(await stranger.get(f"/v1/rulesets/{rules.name}/decks/{name}/rules"))
        assert set(explained) == {"en", "de"}
        for language, found in explained.items():
            assert [box["title"] for box in found["boxes"]] == [box.title[language] for box in rules.boxes]
            assert found["boxes"], "a game of this project has rules for people"
            texts = {card: each["text"] for card, each in found["cards"].items() if "text" in each}
            assert texts == rules.captions(deck)[language]
            names = {card: each["name"] for card, each in found["cards"].items() if "name" in each}
            assert names == rules.card_names(deck, language)
            assert all("printed" in found["cards"][card] for card in names)
    problem(await stranger.get(f"/v1/rulesets/{rules.name}/decks/nope/rules"), 404, "not-found")
