"""The table as text: complete, unambiguous, and never more than the seat sees."""

import ast
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agents.table import Bot, Table
from domain import telling
from domain.bots import at_random
from domain.codec import encode
from domain.game import Rules
from domain.rulesets import VERSIONS
from domain.tellers import teller
from domain.telling import Schema, Told, counted, plain_name, ranges
from stammtisch.testing.laws import Lots

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
both = pytest.mark.parametrize("language", ("en", "de"))
GOLDEN = Path(__file__).parent / "telling"
LISTED = re.compile(r"(?:^|[:;,] )(\d+)(?:-(\d+))?\. ", re.MULTILINE)
RANDOM = Bot(lambda asked: at_random(asked.view, asked.seat, asked.legal, asked.dice), looks_back=True)


def plain(value: Any) -> Any:
    return json.loads(encode(value))


class Choice(NamedTuple):
    """What a seat with more than one legal move is asked."""

    rules: Rules
    seat: int
    initial: Any
    seen: tuple[Any, ...]
    view: Any
    legal: Any
    state: Any
    """The full state."""

    def told(self, language: str, **given: Any) -> Told:
        return teller(self.rules, language).tell(self.view, self.seat, self.legal, plain([*self.seen[-6:]]), **given)


@cache
def choices(rules: Rules, *others: int) -> list[Choice]:
    """Of random games with the least, the most and three seats, or with other numbers of seats."""
    found = []
    for seats in others or sorted({rules.seats[0], rules.seats[-1], 3} & {*rules.seats}):
        table = Table(rules, rules.options(**rules.board), [RANDOM] * seats, bytes([seats]) * 32)
        for _ in range(60):
            if table.acting is None:
                break
            asked = table.question()
            legal = plain([*asked.legal])
            if len(legal) > 1:
                view = plain(asked.view)
                found.append(Choice(rules, asked.seat, asked.initial, (*asked.seen,), view, legal, table.state))
            table.move(asked.legal[RANDOM.choose(asked)])
    return found


@cache
def texts(rules: Rules, language: str) -> list[Told]:
    """The text for each of the choices."""
    return [choice.told(language) for choice in choices(rules)]


@every_version
@both
def test_every_legal_move_is_listed_once_and_has_a_sentence_of_its_own(rules: Rules, language: str):
    for choice, told in zip(choices(rules), texts(rules, language), strict=True):
        every_move_once(choice, told, language)


def every_move_once(choice: Choice, told: Told, language: str) -> None:
    begins = telling.WORDS[language]["choices"].partition(":")[0]
    listed = LISTED.findall(told.text[told.text.rindex(begins) :])
    numbers = [n for low, high in listed for n in range(int(low), int(high or low) + 1)]
    assert sorted(numbers) == [*range(1, len(choice.legal) + 1)], told.text
    assert len(set(told.moves)) == len(choice.legal), told.moves


@every_version
def test_different_views_have_different_texts(rules: Rules):
    one_text_for_one_view(rules, choices(rules))


def one_text_for_one_view(rules: Rules, found: list[Choice]) -> None:
    """Except for the points of earlier rounds, and the cards below those that are listed of a pile."""
    views: dict[str, Any] = {}
    for choice in found:
        text = teller(rules, "en").tell(choice.view, choice.seat, choice.legal).text
        view = {name: value for name, value in choice.view.items() if name not in ("rounds", "options", "deck")}
        assert views.setdefault(text, view) == view, text


@pytest.mark.by_default()
@every_version
def test_it_holds_for_every_number_of_seats(rules: Rules):
    for seats in rules.seats:
        found = choices(rules, seats)
        one_text_for_one_view(rules, found)
        for choice in found:
            for language in ("en", "de"):
                every_move_once(choice, choice.told(language), language)


@every_version
@both
def test_no_text_shows_a_hidden_card(rules: Rules, language: str):
    """Two worlds: after a history that the seat can imagine it reads the same; only the full tables differ."""
    differ = 0
    for choice in choices(rules)[::9]:
        seat = choice.seat
        history = rules.imagine(choice.initial, [*choice.seen], seat, Lots(len(choice.seen)))
        seen = tuple([rules.redact(event, seat) for event in history])
        view = rules.fold(choice.initial, seen)
        there = choice._replace(seen=seen, view=plain(view), legal=plain([*rules.legal(view, seat)]))
        assert there.told(language) == choice.told(language)
        world = rules.fold(choice.initial, history)
        full = [teller(rules, language).tell(plain(state), seat).text for state in (world, choice.state)]
        differ += full[0] != full[1]
    assert differ, "no hidden card differs"


@every_version
@both
def test_a_text_is_short(rules: Rules, language: str):
    """With up to three seats at most 1.9 kB in 99 of 100 texts; older events are left out, and counted."""
    found = [*zip(choices(rules), texts(rules, language), strict=True)]
    sizes = sorted(len(told.text.encode()) for choice, told in found if len(seats_of(choice)) <= 3)
    assert sizes[len(sizes) * 99 // 100] <= 1900
    longest, _ = max(found, key=lambda each: len(each[1].text))
    short = longest.told(language, most=0)
    assert short.moves == longest.told(language).moves
    assert telling.WORDS[language]["earlier"].partition("{n}")[2] in short.text


def seats_of(choice: Choice) -> list[Any]:
    return next(value for value in choice.view.values() if isinstance(value, list) and value)


@every_version
@both
def test_names_are_in_the_text_only_where_they_are_given(rules: Rules, language: str):
    choice = choices(rules)[0]
    seats = max(len(value) for value in choice.view.values() if isinstance(value, list))
    names = ["1. Draw\na card", "«you»", *["\u202eQuizzer⟦"] * seats][:seats]
    assert not any(plain_name(name) in choice.told(language).text for name in names[2:])
    text = choice.told(language, names=names).text
    assert "1. Draw a card" in text and "\u202e" not in text and "«" not in text and "⟦" not in text
    assert len(text.splitlines()) == len(choice.told(language).text.splitlines()), "a name adds a line"


@every_version
@both
def test_texts_stay_as_they_are(rules: Rules, language: str):
    """Three positions of each ruleset. To accept a change, delete the file and run the test twice."""
    found = texts(rules, language)
    expected = "\n\n====\n\n".join([found[len(found) * place // 4].text for place in (1, 2, 3)]) + "\n"
    file = GOLDEN / f"{rules.name}.{language}.txt"
    if not file.exists():
        file.write_text(expected, encoding="utf-8")
        pytest.fail(f"{file.name} is new")
    assert file.read_text(encoding="utf-8") == expected


@every_version
def test_a_finished_game_says_who_has_won(rules: Rules):
    table = Table(rules, rules.options(**rules.board), [RANDOM] * rules.seats[0], bytes(32))
    while table.acting is not None:
        asked = table.question()
        table.move(asked.legal[RANDOM.choose(asked)])
    winners = rules.result(table.state).winners
    text = teller(rules, "en").tell(plain(table.state), 0).text.splitlines()[-1]
    assert text == "The game is over. Won by: " + ", ".join(
        f"Seat {seat + 1}" + " (you)" * (seat == 0) for seat in winners
    )


def test_a_bystander_reads_who_is_to_act():
    rules = VERSIONS["skyjo/1"]
    choice = choices(rules)[0]
    text = teller(rules, "en").tell(choice.view, None, to_act=[1], names=["Ann", "Ben"]).text
    assert text.endswith("You have no choice now.\nTo act: Seat 2 (Ben)") and "you are seat" not in text


def test_the_module_needs_the_standard_library_only():
    """The client has a copy and imports nothing of the service."""
    tree = ast.parse(Path(telling.__file__).read_text(encoding="utf-8"))
    names = {each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)}
    names |= {alias.name for each in ast.walk(tree) if isinstance(each, ast.Import) for alias in each.names}
    assert {str(name).partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    ("numbers", "values", "listed"),
    [
        ([3, 4], ["7", "8"], ["3. 7", "4. 8"]),
        ([3, 4, 5, 6], ["7", "8", "9", "10"], ["3-6. 7-10"]),
        ([3, 4, 5, 6], ["7", "8", "9", "11"], ["3. 7", "4. 8", "5. 9", "6. 11"]),
        ([1, 2, 3, 5], ["1", "2", "3", "4"], ["1. 1", "2. 2", "3. 3", "5. 4"]),
        ([1, 2, 3, 4, 5], ["x", "1", "2", "3", "4"], ["1. x", "2-5. 1-4"]),
    ],
)
def test_rising_numbers_are_a_range(numbers: list[int], values: list[str], listed: list[str]):
    assert ranges(numbers, values) == listed


def test_equal_events_in_a_row_are_counted():
    assert counted(["a", "b", "b", "a"]) == ["a", "b (x2)", "a"]


def test_a_schema_gives_the_mark_behind_a_reference_and_in_a_union():
    schema = Schema({"$defs": {"Seat": {"type": "integer", "x-seat": True}}})
    for each in ({"$ref": "#/$defs/Seat"}, {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Seat"}]}):
        assert schema.mark(each, "x-seat") is True
    assert schema.mark({"type": "integer"}, "x-seat") is None
