"""The published bots: frozen choices, legal ones, the same every time, and from what the seat sees alone."""

import ast
import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.bots import at_random, best
from domain.codec import encode
from domain.fairness.chance import Chance, Dice
from domain.game import Rules
from domain.ruleset import Choose, InvalidSetup, Seat
from domain.rulesets import VERSIONS
from tests.golden import choices, plan
from tests.kit import bot_table
from tests.kit.bot_table import BotTable, Question, questions
from tests.kit.values import values
from tests.support.every import every_table

ROOT = Path(__file__).parents[2]

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
every_bot = pytest.mark.parametrize(
    ("rules", "name"),
    [pytest.param(rules, name, id=f"{rules.rules}-{name}") for rules in VERSIONS.values() for name in rules.bots],
)
every_search = pytest.mark.parametrize(
    ("rules", "name"),
    [pytest.param(rules, name, id=f"{rules.rules}-{name}") for rules in VERSIONS.values() for name in rules.searches],
)

LONG = ("scopinion",)
"""Rulesets whose searches need three seconds, not one."""


def game(
    rules: Rules, bots: Sequence[Choose[Any, Any]], seed: int = 0, moves: int = bot_table.MOST, **options: Any
) -> list[tuple[Question, int]]:
    return list(questions(rules, rules.options(**options), bots, Random(seed).randbytes(32), moves))


# --- frozen choices -----------------------------------------------------------------------------------------------


@every_bot
def test_a_published_bot_chooses_what_was_frozen(rules: Rules, name: str):
    frozen = list(choices.read(rules, choices.file(rules, name)))
    assert len(frozen) >= 20 or len(frozen) >= len(choices.positions(rules, name)) > 0, "run `make golden`"
    assert [question.answer(rules.bots[name]) for question, _ in frozen] == [chosen for _, chosen in frozen]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "name"),
    [pytest.param(rules, name, id=f"{rules.rules}-{name}", marks=pytest.mark.checked if rules.name in LONG else ())
     for rules in VERSIONS.values() for name in rules.searches],
)  # fmt: skip
def test_a_published_search_chooses_what_was_frozen(rules: Rules, name: str):
    frozen = choices.places_of(choices.file(rules, name))
    assert len(frozen) == choices.FEW and len({place.chosen for place in frozen}) > 1, "run `make golden`"
    assert [*choices.search(rules, name, frozen)] == [place.chosen for place in frozen]


@every_search
def test_a_frozen_search_departs_from_the_bot_that_it_follows(rules: Rules, name: str):
    """Otherwise the frozen choices would not show that anything is imagined."""
    frozen = choices.places_of(choices.file(rules, name))
    alone = dataclasses.replace(rules, searches={name: rules.searches[name]._replace(moves=1)})
    assert [*choices.search(alone, name, frozen)] != [place.chosen for place in frozen]


@every_ruleset
def test_a_published_bot_stays_published(rules: Rules):
    """Games that name it must be verifiable for ever."""
    frozen = {path.stem for path in choices.file(rules, "any/1").parent.glob("*.jsonl")}
    assert frozen == {name.replace("/", "-") for name in (*rules.bots, *rules.searches)}


@every_ruleset
def test_every_ruleset_has_these_bots_the_weakest_first(rules: Rules):
    assert list(rules.bots)[:3] == ["random/1", "easy/1", "careful/1"]
    assert rules.bots["random/1"] is at_random


def test_frozen_choices_are_not_all_the_first():
    """They would be, if a bot did not look at anything."""
    for rules in VERSIONS.values():
        for name in rules.bots:
            chosen = {answer for _, answer in choices.read(rules, choices.file(rules, name))}
            assert len(chosen) > 1, f"{rules.rules} {name}"


# --- laws ---------------------------------------------------------------------------------------------------------


@every_bot
def test_a_bot_chooses_legally_and_the_same_again(rules: Rules, name: str, everything: bool):
    """At a table of two kinds of bots, for every number of seats and every option; asked again in reverse order. By
    default in at most 150 moves, and again every second question."""
    for _, seats, options in plan(rules):
        bots = [rules.bots[name] if seat % 2 == 0 else at_random for seat in range(seats)]
        try:
            asked = game(rules, bots, moves=bot_table.MOST if everything else 150, **options)
        except InvalidSetup:
            continue
        own = [(question, chosen) for question, chosen in asked if question.seat % 2 == 0]
        assert own
        bot_table.legality(own)
        bot_table.purity(rules, rules.bots[name], own if everything else own[::2])


@every_table
@settings(max_examples=settings.default.max_examples // 10)
@given(data=st.data())
def test_a_bot_has_an_answer_wherever_random_play_leads(rules: Rules, seats: int, data: st.DataObject):
    """Also in positions that it would not have played itself: it takes over from a player who has left."""
    options, seed = data.draw(values(rules.options)), data.draw(st.integers(0, 2**32))
    try:
        asked = list(questions(rules, options, [at_random] * seats, Random(seed).randbytes(32), moves=150))
    except InvalidSetup:
        return
    bot_table.legality([(question, question.answer(choose)) for question, _ in asked for choose in rules.bots.values()])


@every_table
def test_every_table_of_careful_bots_ends(rules: Rules, seats: int):
    """`tests/campaigns/bots` plays a thousand for each number of seats."""
    table = BotTable(rules, rules.options(), seats, bytes(32))
    for _ in range(3000):
        if (question := table.question()) is None:
            break
        table.move(question.legal[question.answer(rules.bots["careful/1"])])
    assert rules.result(table.state) is not None


@pytest.mark.slow
@every_bot
@pytest.mark.by_default("careful/1")
def test_a_bot_cannot_tell_worlds_apart_that_look_the_same(rules: Rules, name: str):
    """In `ENOUGH` choices."""
    found = 0
    for each in compared(rules, rules.bots[name]):
        if (found := found + each) > ENOUGH:
            return
    assert found > 50


ENOUGH = 250


def compared(
    rules: Rules, choose: Choose[Any, Any], sight: bot_table.Sight = bot_table.as_it_is
) -> Iterator[int]:  # fmt: skip
    """The numbers of choices that were compared in pairs of worlds."""
    for seed in range(12):
        dice = Random(seed)
        exchange = (dice.randrange(2), dice.randrange(200), dice.randrange(200))
        yield bot_table.blindness(rules, rules.options(), [choose] * 3, dice.randbytes(32), exchange, sight)


DIGEST = """
from tests.domain.test_bots import digest
print(digest())
"""


@cache
def digest() -> str:
    """Of all choices in a game of each bot of each ruleset."""
    chosen = [
        [answer for _, answer in game(rules, [rules.bots[name]] * 3)]
        for rules in VERSIONS.values()
        for name in rules.bots
    ]
    return sha256(encode(chosen)).hexdigest()


@pytest.mark.checked
@pytest.mark.slow
@pytest.mark.by_default("[1]")
@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_choices_do_not_depend_on_the_hash_seed(seed: str):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    ran = subprocess.run(
        [sys.executable, "-c", DIGEST], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == digest()


# --- the source ---------------------------------------------------------------------------------------------------

MODULES = [ROOT / "domain" / "bots.py", *sorted((ROOT / "domain" / "rulesets").glob("*/bots.py"))]
FROM_ELSEWHERE = {"collections", "collections.abc", "itertools", "operator", "typing", "msgspec", "msgspec.structs"}


def improper(source: str) -> list[str]:
    """What a pure choice on integers has no use for: floats, sets, memory, other modules than the domain's."""
    tree = ast.parse(source)
    return [ast.unparse(node) for node in ast.walk(tree) if is_improper(node)]


def is_improper(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=float() | complex()) | ast.Div():
            return True
        case ast.Set() | ast.SetComp() | ast.Global() | ast.Nonlocal():
            return True
        case ast.Name(id="set" | "frozenset" | "float" | "hash" | "id"):
            return True
        case ast.Import(names=names):
            return any(alias.name not in FROM_ELSEWHERE for alias in names)
        case ast.ImportFrom(module=module, level=level):
            return level > 0 or (module not in FROM_ELSEWHERE and not str(module).startswith("domain."))
        case ast.FunctionDef(decorator_list=[_, *_]) | ast.ClassDef(decorator_list=[_, *_]):
            return True  # such as a cache
        case ast.FunctionDef(args=arguments):
            return any(not isinstance(default, ast.Constant) for default in arguments.defaults)
    return False


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_bot_is_written_with_integers_and_without_memory(path: Path):
    assert improper(path.read_text(encoding="utf-8")) == []


def test_every_ruleset_has_a_module_of_bots():
    assert {path.parent.name for path in MODULES[1:]} == {rules.name for rules in VERSIONS.values()}


@pytest.mark.parametrize(
    "source",
    ["x = 0.5", "x = 1 / 2", "x /= 2", "for x in {1, 2}: ...", "x = {y for y in z}", "x = max(set(y))", "import time",
     "from random import Random", "from math import sqrt", "from service import app", "from . import table",
     "from functools import cache", "@cache\ndef f(): ...", "def f(seen=[]): ...", "def f():\n    global x",
     "x = hash('a')", "x = float(y)", "x = frozenset(y)"],
)  # fmt: skip
def test_what_is_improper_is_noticed(source: str):
    assert improper(source)


# --- planted faults -----------------------------------------------------------------------------------------------

SKYJO = VERSIONS["skyjo/1"]


def caught(law: Any, *arguments: Any) -> bool:
    try:
        law(*arguments)
    except AssertionError:
        return True
    return False


def remembering() -> Choose[Any, Any]:
    """A bot that chooses by how often it was asked."""
    asked = []

    def choose(_state: Any, _seat: Seat, moves: Sequence[Any], _: Chance) -> int:
        asked.append(len(moves))
        return len(asked) % len(moves)

    return choose


def by_the_object(state: Any, _seat: Seat, moves: Sequence[Any], _: Chance) -> int:
    """A bot that chooses by what is not in the view's content."""
    return id(state) // 64 % len(moves)


def by_all_it_is_handed(state: Any, _seat: Seat, moves: Sequence[Any], _: Chance) -> int:
    """A bot that would use the truth if it got it."""
    return sha256(encode(state)).digest()[0] % len(moves)


def beside_the_list(_state: Any, _seat: Seat, moves: Sequence[Any], _: Chance) -> int:
    return len(moves)


def the_truth(table: BotTable, question: Question) -> Question:
    return question._replace(view=table.state)


@pytest.mark.parametrize("fault", [remembering(), by_the_object], ids=["remembering", "by_the_object"])
def test_a_bot_with_a_memory_is_caught(fault: Choose[Any, Any]):
    assert caught(bot_table.purity, SKYJO, fault, game(SKYJO, [fault] * 2, target_points=1))


def test_a_bot_that_chooses_beside_the_list_is_caught():
    question, _ = game(SKYJO, [at_random] * 2, target_points=1)[0]
    assert caught(bot_table.legality, [(question, question.answer(beside_the_list))])
    assert caught(bot_table.legality, [(question, True)])


@every_ruleset
def test_a_bot_that_is_handed_the_truth_is_caught(rules: Rules):
    """And the same bot is not, as long as it is handed its view."""
    limited = [at_random, by_all_it_is_handed]
    assert not caught(list, compared(rules, limited[1]))
    assert caught(list, compared(rules, limited[1], the_truth))


# --- choosing -----------------------------------------------------------------------------------------------------


def dice(number: int) -> Dice:
    return Dice(b"secret", "a game", (), 0, number)


def test_random_chooses_every_kind_of_move_equally_often():
    moves = ["a", "b", "c", 1, 2.5, 3.5]
    chosen = [moves[at_random(None, 0, moves, dice(number))] for number in range(6000)]
    for kind in (str, int, float):
        assert 1850 < sum(type(each) is kind for each in chosen) < 2150
    assert 900 < chosen.count(2.5) < 1100


def test_the_best_is_the_highest_and_dice_break_ties():
    assert best([3, 7, 5], dice(0)) == 1
    chosen = [best([7, 1, 7], dice(number)) for number in range(1000)]
    assert set(chosen) == {0, 2}
    assert 430 < chosen.count(0) < 570
