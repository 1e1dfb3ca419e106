"""Guided first games: every lesson can be played as it says, in the game that the service opens for it."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import game
from domain.bundled import Lesson, LessonStep
from domain.codec import builtins
from domain.fairness.lifecycle import UUID
from domain.game import Game, Rules
from domain.ruleset import Seat
from domain.rulesets import RULESETS
from stammtisch.testing import doing

LESSONS = {name: rules.lesson for name, rules in RULESETS.items() if rules.lesson is not None}
every_lesson = pytest.mark.parametrize("name", LESSONS)
ID = "018f3c2e-7b1a-7c3d-9e4f-00000000c001"
LONGEST_TASK, LONGEST_TEXT, LONGEST_TITLE = 46, 290, 44
"""Characters."""


FACTS = {
    "skyjo": [
        (1, "layouts/0/1/card", 7), (2, "layouts/0/6/card", 12), (2, "discard/-1", 2), (4, "discard/-1", 5),
        (5, "held", 12), (7, "discard/-1", 2), (7, "layouts/0/8/card", 2), (7, "layouts/1/0/card", 3),
    ],
    "skyjo_action": [
        (1, "layouts/0/9/card", 5), (2, "layouts/0/3/card", "star"), (2, "open/1", "swap_own"), (3, "discard/-1", 5),
        (5, "layouts/0/5/card", 5),
    ],
    "scout": [
        (1, "hands/0/8/0", 4), (1, "hands/0/9/0", 5), (2, "active/0/0", 8), (2, "chips/0", 1), (3, "hands/0/4/0", 6),
        (3, "hands/0/6/0", 8), (3, "active/1/0", 5), (4, "collected/0", 2),
    ],
    "scopinion": [
        (0, "hands/0/1", "g7-1"), (0, "display/0", "c6-2"), (3, "hands/0/0", "g4-2"), (3, "display/2", "c9-2"),
        (5, "hands/0/0", "g0-1"), (5, "display/1", "c1-4"),
    ],
    "scandaroon": [
        (0, "trump", "crescent"), (3, "passed/1", True), (5, "passed/2", True), (6, "rank_points/0", 3),
    ],
}  # fmt: skip
"""What the texts say of the table at a step, by its path in the view."""
POINTS = {"scandaroon": [(1, 0, 8), (2, 0, 14), (3, 0, 16), (3, 2, 16), (5, 0, 20)]}
"""What the texts say that a seat counts: the step, the seat, the points."""


def at_path(view: Any, path: str) -> Any:
    for part in path.split("/"):
        view = view[int(part)] if isinstance(view, list | tuple) else view[part]
    return view


def begun(rules: Rules, lesson: Lesson) -> Game:
    return game.taught(rules, ID, lesson, "ann").game


def state_of(now: Game) -> str:
    view = builtins(now.state)
    kind: str = view["pending"]["kind"] if view.get("pending") else view["phase"]
    return kind


def moved(rules: Rules, now: Game, seat: Seat, move: Any) -> Game:
    return doing.move(rules, now, seat, msgspec.convert(move, rules.move)).game


def faults(rules: Rules, lesson: Lesson) -> Iterator[str]:
    """What is wrong with the steps, played one after another."""
    now = begun(rules, lesson)
    for index, step in enumerate(lesson.steps):
        if state_of(now) != step.state:
            yield f"step {index}: the state is {state_of(now)}"
        view = builtins(now.state)
        for at, path, fact in FACTS.get(rules.name, []):
            if at == index and at_path(view, path) != fact:
                yield f"step {index}: {path} is {at_path(view, path)}, not {fact}"
        for at, seat, points in POINTS.get(rules.name, []):
            if at == index and rules.tally(now.state).points[seat] != points:
                yield f"step {index}: seat {seat} has {rules.tally(now.state).points[seat]} points, not {points}"
        if step.move is None:
            continue
        if step.free:
            yield from other_ways(rules, lesson, now, index)
        for seat, move in ((0, step.move), *((each.seat, each.move) for each in step.reply)):
            try:
                now = moved(rules, now, seat, move)
            except (game.IllegalMove, game.NotRunning) as refusal:
                yield f"step {index}: {seat} cannot {move}: {type(refusal).__name__}"
                return


def other_ways(rules: Rules, lesson: Lesson, now: Game, index: int) -> Iterator[str]:
    """The rest of the lesson after another legal move of a free step."""
    for other in game.legal(rules, now, 0):
        changed = replace(lesson.steps[index], move=builtins(other), free=False)
        steps = (*lesson.steps[:index], changed, *lesson.steps[index + 1 :])
        yield from (f"step {index} by {other}: {each}" for each in faults(rules, replace(lesson, steps=steps)))


@every_lesson
def test_every_step_is_legal_in_its_state(name: str):
    assert [*faults(RULESETS[name], LESSONS[name])] == []


def test_every_game_of_this_project_has_a_lesson():
    assert LESSONS.keys() == RULESETS.keys()


@every_lesson
def test_a_lesson_has_few_steps_and_short_texts_in_both_languages(name: str):
    lesson = LESSONS[name]
    assert 5 <= sum(bool(step.title) for step in lesson.steps) <= 9
    assert lesson.steps[0].title
    assert lesson.steps[-1].move is None
    assert all(step.move is not None or not step.reply for step in lesson.steps)
    for step in lesson.steps:
        for text, most in ((step.title, LONGEST_TITLE), (step.say, LONGEST_TEXT), (step.task, LONGEST_TASK)):
            assert text.keys() == ({"en", "de"} if text or text is not step.title else set())
            assert all(0 < len(each) <= most for each in text.values()), text


@every_lesson
def test_the_game_of_a_lesson_says_so_and_counts_nowhere(name: str):
    lesson = LESSONS[name]
    opened = game.taught(RULESETS[name], ID, lesson, "ann").events[0]
    assert (opened.parent.id, opened.parent.root, opened.secret) == (lesson.id, lesson.id, lesson.secret)
    assert (opened.hotseat, opened.private, opened.opener) == (True, True, "ann")
    assert UUID.fullmatch(lesson.id)
    assert re.fullmatch(r"[0-9a-f]{64}", lesson.secret)


def test_no_two_lessons_have_one_deal():
    assert len({lesson.id for lesson in LESSONS.values()} | {lesson.secret for lesson in LESSONS.values()}) == 2 * len(
        LESSONS
    )


@every_lesson
def test_every_learner_gets_the_same_cards(name: str):
    one, other = (game.taught(RULESETS[name], each, LESSONS[name], each).game for each in (ID, ID[:-1] + "2"))
    assert one.state == other.state


def planted(lesson: Lesson, **parts: Any) -> Lesson:
    """The lesson with another first step."""
    first: LessonStep = replace(lesson.steps[0], **parts)
    return replace(lesson, steps=(first, *lesson.steps[1:]))


@pytest.mark.planted("A24")
@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({"state": "over"}, "step 0: the state is setup"),
        ({"move": {"type": "draw"}}, "step 0: 0 cannot"),
        ({"free": True}, "step 0 by Flip"),
        ({"move": {"type": "flip", "slot": 6}}, "step 1: 0 cannot"),
    ],
)
def test_a_planted_fault_is_found(parts: dict[str, Any], found: str):
    lesson = LESSONS["skyjo"]
    assert [each for each in faults(RULESETS["skyjo"], planted(lesson, **parts)) if each.startswith(found)]


@every_lesson
def test_other_cards_are_found(name: str):
    other = replace(LESSONS[name], secret="00" * 32)
    assert [*faults(RULESETS[name], other)]
