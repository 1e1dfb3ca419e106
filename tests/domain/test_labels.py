"""Every ruleset can be read in English and German: labels are complete, and every event becomes a sentence."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec import inspect as kinds
from msgspec.structs import asdict, fields

from domain import game, telling
from domain.bundled import Labels
from domain.game import Rules
from domain.game.log import redacted
from domain.naming import leaves
from domain.rulesets import RULESETS, VERSIONS
from domain.sentences import KINDS, OPTIONAL, PLACEHOLDER, sentence, value_at
from domain.tellers import teller
from stammtisch.testing.playing import Play, Table, type_info
from tests.golden import folder, read
from tests.web.scenes import spread

pytestmark = pytest.mark.slow

LANGUAGES = "en", "de"
both = pytest.mark.parametrize("language", LANGUAGES)
every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
NAMES = tuple(f"Player{seat}" for seat in range(8))


def moves(rules: Rules) -> tuple[Any, ...]:
    return get_args(rules.move) or (rules.move,)


def events(rules: Rules) -> tuple[Any, ...]:
    return get_args(rules.event)


def tags(messages: tuple[Any, ...]) -> set[str]:
    return {kind.__struct_config__.tag for kind in messages}


# --- what a type contains -----------------------------------------------------------------------------------------


def enumerations(messages: tuple[Any, ...]) -> dict[str, set[str]]:
    """The values of all enumerations that are not cards, by field."""
    found: dict[str, set[str]] = {}
    for message in messages:
        for name, leaf, card in leaves(type_info(message)):
            if isinstance(leaf, kinds.LiteralType) and not card:
                found.setdefault(name, set()).update(map(str, leaf.values))
    return found


def zones(rules: Rules) -> set[str]:
    """The fields of the view in which there are cards."""
    info: Any = type_info(rules.state)
    return {
        field.name for field in info.fields if field.name != "pending" and any(card for *_, card in leaves(field.type))
    }


def booleans(messages: tuple[Any, ...]) -> set[str]:
    return {
        name for message in messages for name, leaf, _ in leaves(type_info(message)) if isinstance(leaf, kinds.BoolType)
    }


# --- complete -----------------------------------------------------------------------------------------------------


@every_version
@both
def test_every_message_has_its_labels(rules: Rules, language: str):
    labels = rules.labels[language]
    assert labels.moves.keys() == tags(moves(rules))
    assert labels.events.keys() == labels.sentences.keys() == tags(events(rules))
    assert labels.fields.keys() == {field.encode_name for move in moves(rules) for field in fields(move)}
    assert [*labels.bots] == [*rules.house]
    assert labels.options.keys() == {field.encode_name for field in fields(rules.options)}
    assert labels.options_explained.keys() == labels.options.keys()


@every_version
@both
def test_every_field_of_the_view_has_its_label(rules: Rules, language: str):
    labels = rules.labels[language]
    names = {field.encode_name for field in fields(rules.state)} - {"options", "deck"}
    assert labels.zones.keys() >= zones(rules)
    assert labels.zones.keys() | labels.facts.keys() == names
    assert not labels.zones.keys() & labels.facts.keys()


@every_version
@both
def test_every_value_of_an_enumeration_has_its_label(rules: Rules, language: str):
    labels = rules.labels[language]
    needed = enumerations((*moves(rules), *events(rules), rules.state, rules.options))
    assert labels.phases.keys() == needed.pop("phase")
    for name, values in needed.items():
        if name in {field.name for field in fields(rules.options)}:
            values = values - {"0"}  # a number needs no name
        assert labels.values.get(name, {}).keys() >= values, name
    for name in booleans(moves(rules)):
        assert labels.values[name].keys() == {"true", "false"}


@every_version
@both
def test_every_card_that_is_a_word_has_its_label(rules: Rules, language: str):
    labels = rules.labels[language]
    assert {"back", "hidden"} <= labels.cards.keys()
    for message in (*moves(rules), *events(rules), rules.state):
        for _, leaf, card in leaves(type_info(message)):
            if card and isinstance(leaf, kinds.LiteralType):
                assert labels.cards.keys() >= set(map(str, leaf.values))


@every_version
def test_both_languages_have_the_same_labels(rules: Rules):
    assert set(rules.labels) == set(LANGUAGES)
    english, german = (rules.labels[language] for language in LANGUAGES)

    def keys(value: Any) -> Any:
        return {name: keys(item) for name, item in value.items()} if isinstance(value, dict) else None

    for field in fields(Labels):
        assert keys(getattr(english, field.name)) == keys(getattr(german, field.name)), field.name


@every_version
@both
def test_every_phase_of_the_player_has_a_short_question(rules: Rules, language: str):
    """A question has one line: 46 characters besides cards and names. tests/web walks the states."""
    prompts = rules.labels[language].prompts
    english, german = (each.prompts for each in rules.labels.values())
    for state, prompt in prompts.items():
        assert len(re.sub(r"\[[^]]*\]|{[^}]*}", "", prompt.ask)) <= 46, state
        assert english[state].do.keys() == german[state].do.keys(), state
        assert (english[state].say is msgspec.UNSET) == (german[state].say is msgspec.UNSET), state


UNSAID = {"choose": {"play", "discard"}, "exchange": {"stop"}}
"""Types of moves that the question of a state does not name, so that they may be missing."""


@pytest.mark.parametrize("name", RULESETS)
def test_a_question_names_no_move_that_is_not_legal(name: str):
    """A question with the same words is asked for the same types of moves, unless it is filled with those."""
    asks, prompts = teller(RULESETS[name], "en"), RULESETS[name].labels["en"].prompts
    asked: dict[str, set[frozenset[str]]] = {}
    for scene in spread(games=5, moves=60, every=1, only=name):
        view, legal = msgspec.json.decode(msgspec.json.encode([scene.view, scene.legal]))
        table = telling.Table(asks, view, scene.you, scene.names, {})
        for *_, key in table.prompts({**view, "you": scene.you, "legal": legal})[:1]:
            if "legal.type:can" not in prompts[key].ask:
                types = {move["type"] for move in legal} - UNSAID.get(key.partition(" ")[0], set())
                asked.setdefault(key, set()).add(frozenset(types))
    assert len(asked) > 2
    assert {key: types for key, types in asked.items() if len(types) > 1} == {}


def test_no_text_on_a_page_asks_for_a_click():
    """People use fingers and keys too: a card is chosen. Only the list of keys says what a key clicks."""
    root = Path(__file__).parents[2]
    texts = [
        *root.glob("domain/rulesets/*/*.json"),
        *root.glob("service/extensions/*/web/words/*.json"),
        *root.glob("web/words/*.json"),
    ]
    lines = [f"{path.name}: {line}" for path in {*texts} for line in path.read_text().splitlines()]
    assert len(lines) > 1000
    assert [line for line in lines if re.search(r"\b[ck]lick", line, re.IGNORECASE) and '"keys.' not in line] == []


@every_version
@both
def test_no_label_is_empty(rules: Rules, language: str):
    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | Struct):
            for item in (value if isinstance(value, dict) else asdict(value)).values():
                yield from texts(item)

    for field in fields(Labels):
        for text in texts(getattr(rules.labels[language], field.name)):
            assert text.strip(), field.name
            assert field.name in ("summary", "bots", "prompts", "options_explained") or not text.endswith("."), text


# --- sentences ----------------------------------------------------------------------------------------------------


RECALLED = re.compile(r"{[a-z]+\.card:cards?}")
"""In brackets: the card that lay at a place before the event, where a frontend knows it."""


@every_version
@both
def test_the_placeholders_of_a_sentence_are_fields_of_the_event(rules: Rules, language: str):
    labels = rules.labels[language]
    for event in events(rules):
        template = labels.sentences[event.__struct_config__.tag]
        assert not set("{}[]") & set(PLACEHOLDER.sub("", OPTIONAL.sub(r"\1", template))), template
        recalled = [found for part in OPTIONAL.findall(template) for found in RECALLED.findall(part)]
        for path, kind in PLACEHOLDER.findall(template):
            assert path.split(".")[0] in event.__struct_fields__ or f"{{{path}:{kind}}}" in recalled, template
            assert kind in ("", *KINDS), template
            if kind == "place":
                assert path.rpartition(".")[2] in labels.places, template


def check_sentences(rules: Rules, seen: list[Any]) -> set[str]:
    """Law: every event of the ruleset becomes a sentence in each language, for everybody. The tags of these events."""
    found = set()
    names = NAMES[: seen[0].seats]
    for event in seen:
        if type(event) in game.LIFECYCLE:
            continue
        found.add(event.__struct_config__.tag)
        for language in LANGUAGES:
            text = sentence(rules.labels[language], event, names)
            assert not set("{}[]") & set(text), text
            assert "None" not in text and "UNSET" not in text and "  " not in text, text
            assert text == text.strip(" ,;:"), text
    return found


@every_version
def test_every_event_of_random_games_becomes_a_sentence(rules: Rules):
    for seats in (rules.seats[0], rules.seats[-1]):
        play = Play(rules, Table(seats, rules.options(), seats, moves=150))
        for viewer in (None, 0):
            check_sentences(rules, play.seen[viewer])
        check_sentences(rules, play.events)


@every_version
def test_every_event_of_golden_games_becomes_a_sentence(rules: Rules):
    found: set[str] = set()
    for file in folder(rules).glob("*.jsonl"):
        log = read(rules, file)[0].log
        found |= check_sentences(rules, [entry.event for entry in log])
        shown = [(redacted(rules, entry, None).event, entry.event) for entry in log]
        check_sentences(rules, [event for event, whole in shown if event is not whole])
    assert found == tags(events(rules))


@every_version
def test_a_sentence_names_every_seat_of_the_event(rules: Rules):
    """A field `seat` is always told."""
    for event in events(rules):
        if "seat" in event.__struct_fields__:
            for language in LANGUAGES:
                assert "{seat:seat}" in rules.labels[language].sentences[event.__struct_config__.tag]


def test_a_hidden_card_is_no_face():
    rules = VERSIONS["skyjo/1"]
    drawn = next(event for event in events(rules) if event.__struct_config__.tag == "drawn")
    swapped = next(event for event in events(rules) if event.__struct_config__.tag == "swapped")
    names = ("Ann", "Ben")
    assert sentence(rules.labels["en"], drawn(1, None), names) == "Ben draws a card"
    assert sentence(rules.labels["en"], drawn(1, -2), names) == "Ben draws -2"
    assert sentence(rules.labels["de"], swapped(0, 7, 4, 12), names) == ("Ann legt 4 (Spalte 3, Reihe 2) für 12 hin")


def test_a_name_is_not_read_as_a_template():
    rules = VERSIONS["skyjo/1"]
    drawn = next(event for event in events(rules) if event.__struct_config__.tag == "drawn")
    odd = "{card:card} [x] \\1 %s"
    assert sentence(rules.labels["en"], drawn(0, None), (odd,)) == f"{odd} draws a card"


def test_values_of_nested_fields_and_lists():
    rules = VERSIONS["scandaroon/1"]
    boosted = next(event for event in events(rules) if event.__struct_config__.tag == "boosted")
    spot = type_info(boosted).fields[1].type.item_type.cls  # type: ignore[attr-defined]
    event = boosted(0, (spot(1, 0), spot(1, 2)), -2, 0)
    assert value_at(event, "spots.position") == (0, 2)
    assert value_at(event, "seat") == 0
    text = sentence(rules.labels["en"], event, ("Ann", "Ben", "Cem"))
    assert text == "Ann changes by -2 the cards at place 1, place 3 in the row of Ben"


def test_a_missing_label_is_found():
    """The laws bite: without one text they fail."""
    rules = VERSIONS["skyjo/1"]
    labels = rules.labels["en"]
    phases = dict(labels.phases)
    del phases["turn"]
    assert phases.keys() != enumerations((rules.state,))["phase"]
