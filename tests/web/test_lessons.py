"""Guided first games in Chromium: from the lobby to a game against the house, by clicks and by keys."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from domain import game
from domain.bundled import Lesson
from domain.codec import builtins
from domain.game import LIFECYCLE, Rules
from domain.rulesets import RULESETS
from stammtisch.testing import doing
from tests.support.clients import Server
from tests.web.browsers import FIRST, Visitor, now, somebody
from tests.web.measures import inaccessible
from tests.web.pictures import Demo, served
from tests.web.scenes import NAMES, Scene

LESSONS = {name: rules.lesson for name, rules in RULESETS.items() if rules.lesson is not None}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


# --- A24: what a step points at is drawn ----------------------------------------------------------------------------


def positions(rules: Rules, lesson: Lesson) -> Iterator[tuple[int, Any]]:
    """Each step with the table as the learner sees it then."""
    done = game.taught(rules, "018f3c2e-7b1a-7c3d-9e4f-00000000c001", lesson, "ann")
    now, history, seats = done.game, list(done.events), len(lesson.seats)
    deck = next(iter(rules.decks.values()))
    labels = {tongue: builtins(rules.labels[tongue]) | {"captions": {}} for tongue in ("en", "de")}
    for index, step in enumerate(lesson.steps):
        played = [event for event in history if type(event) not in LIFECYCLE]
        view = rules.view(rules.initial(seats, now.state.options, deck), played, 0)
        scene = Scene(
            rules.name, seats, 0, list(game.to_act(rules, now)), builtins(view),
            [builtins(move) for move in game.legal(rules, now, 0)], builtins(deck.data), list(NAMES[:seats]), labels,
            [builtins(rules.redact(event, 0)) for event in played[-12:]], builtins(rules.tally(view)),
        )  # fmt: skip
        yield index, builtins(scene)
        for seat, move in ((0, step.move), *((each.seat, each.move) for each in step.reply)):
            if move is not None:
                made = doing.move(rules, now, seat, msgspec.convert(move, rules.move))
                now, history = made.game, [*history, *made.events]


def undrawn(demo: Demo, rules: Rules, lesson: Lesson) -> list[str]:
    return [
        f"step {index}: {thing}"
        for index, scene in positions(rules, lesson)
        for thing in {*lesson.steps[index].point} - {*demo.show(scene)}
    ]


@pytest.mark.planted("A24")
def test_everything_that_a_lesson_points_at_is_drawn(browser: Browser) -> None:
    with served() as address:
        demo = Demo(browser, address, "360", drawn=False)
        assert {name: undrawn(demo, RULESETS[name], lesson) for name, lesson in LESSONS.items()} == {
            name: [] for name in LESSONS
        }
        lesson = LESSONS[FIRST]
        first = msgspec.structs.replace(lesson.steps[0], point=("layouts/0/1", "layouts/0/12"))
        planted = msgspec.structs.replace(lesson, steps=(first, *lesson.steps[1:]))
        assert undrawn(demo, RULESETS[FIRST], planted) == ["step 0: layouts/0/12"]
        assert demo.complaints == []


# --- from the lobby to the first game -------------------------------------------------------------------------------


def begun(visitor: Visitor, ruleset: str) -> Page:
    """The lesson, in two clicks for a newcomer, who is asked for a name."""
    page = visitor.visit()
    page.evaluate("localStorage['stammtisch.pace'] = '0'")
    page.get_by_role("button", name=f"Learn {RULESETS[ruleset].labels['en'].title} by playing").click()
    if not visitor.token:
        page.get_by_label("Name").fill("Newcomer")
        page.get_by_role("radio", name="Fox").check()
        page.get_by_role("button", name="OK", exact=True).click()
    page.wait_for_selector(".teacher")
    return page


def learned(page: Page, lesson: Lesson) -> None:
    """Every step is asked, its things are lit, and neither they nor the own cards lie under the bubble."""
    for step, following in zip_longest(lesson.steps, lesson.steps[1:]):
        expect(page.locator(".ask strong")).to_have_text(step.task["en"])
        expect(page.locator(".rail.busy")).to_have_count(0)
        assert page.evaluate(COVERED) == []
        lit = page.locator("button.pointed")
        if step.move is None or lit.count() == 0:
            page.locator(".rail .btn").last.click()
        else:
            clicks = lit.count() if len(step.point) > 1 and step.move["type"] != "clear_line" else 1
            for _ in range(clicks):
                lit.first.click()
        if step.move is not None and following is not None:
            page.evaluate(CONFIRMED, following.task["en"])


CONFIRMED = """(following) => {
  if (document.querySelector(".ask strong")?.textContent.trim() !== following) {
    document.querySelector(".rail .btn.main")?.click();
  }
}"""
"""Clicks the main button, unless it belongs to the next step already."""

COVERED = """() => {
  const over = document.querySelector(".teacher").getBoundingClientRect();
  return [...document.querySelectorAll(".pointed, .mine [data-thing]")].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
  }).map((each) => each.dataset.thing);
}"""


@pytest.mark.checked
def test_a_newcomer_learns_by_clicks_and_plays_on_against_the_house(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    visitor = somebody(browser, server, visitors, **PHONE)
    page = begun(visitor, FIRST)
    known = page.evaluate("JSON.parse(localStorage['stammtisch.identity'])")
    visitor.token = known["token"]
    assert known["face"] == "fox"  # chosen with the name
    first = {"ruleset": FIRST, "id": page.url.rpartition("/")[2]}
    version = now(visitor, first)["version"]
    page.locator("[data-thing='layouts/0/5']").click()  # not what the step wants
    expect(page.locator(".ask span")).to_have_text("Not yet. Turn up this card.")
    assert now(visitor, first)["version"] == version
    page.reload()  # it goes on where it was
    page.wait_for_selector(".teacher")
    learned(page, LESSONS[FIRST])
    page.wait_for_url(lambda url: first["id"] not in url)
    page.wait_for_selector(".rail")
    played = now(visitor, {"ruleset": FIRST, "id": page.url.rpartition("/")[2]})
    assert [seat.get("bot") for seat in played["seats"]] == [None, "easy/1"]
    assert now(visitor, first)["status"] == "aborted"  # it waits for nobody


@pytest.mark.by_default()  # clicks and keys end in the same buttons
@pytest.mark.parametrize("window", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("ruleset", LESSONS)
def test_every_lesson_is_played_by_keys_and_is_accessible(
    browser: Browser, server: Server, visitors: list[Visitor], ruleset: str, window: dict[str, Any]
) -> None:
    """T presses the first button, which makes the move; every step is announced once, and hides no own card."""
    visitor = somebody(browser, server, visitors, "Ann", **window)
    page = visitor.visit(f"rules?ruleset={ruleset}")
    page.evaluate("localStorage['stammtisch.pace'] = '0'")
    page.get_by_role("button", name="Learn by playing").press("Enter")
    page.wait_for_selector(".teacher")
    lesson = LESSONS[ruleset]
    assert inaccessible(page) == []
    for step in lesson.steps[:-1]:
        expect(page.locator(".ask strong")).to_have_text(step.task["en"])
        expect(page.locator("#assertive")).to_contain_text(step.say["en"])
        expect(page.locator(".rail .btn")).not_to_have_count(0)
        assert page.evaluate(COVERED) == []
        page.keyboard.press("t")
    expect(page.locator(".rail .btn.main")).to_have_text(re.compile("Play against"))
    page.get_by_role("button", name="Leave").click()
    page.wait_for_selector(".games li")
    expect(page.locator(".tile")).to_have_count(0)
