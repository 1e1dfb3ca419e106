"""What the descriptions name is drawn: every legal move can be clicked, on every screen, under the service's policy."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.browsers import chromium
from tests.web.pictures import DRAWN, SIZES, Demo, scene_of, scene_with, served
from tests.web.scenes import spread

SMALLEST = 24
OWN = 44


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    with served() as address, chromium() as browser:
        yield Demo(browser, address)


@pytest.mark.by_default("[scandaroon]")
@pytest.mark.parametrize("name", DRAWN)
def test_every_legal_move_is_reached_by_buttons(demo: Demo, name: str) -> None:
    scenes = [scene for scene in spread(games=5, moves=90, every=31, only=name) if len(scene.legal) <= 60]
    assert len(scenes) >= 6
    for scene in scenes:
        missing = demo.page.evaluate("(scene) => unreachable(scene)", builtins(scene))
        assert missing == [], scene.view
    assert demo.complaints == []


@pytest.mark.by_default("narrow")
@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("size", [*SIZES, "narrow"])
def test_targets_are_large_enough_and_nothing_is_cut_off(demo: Demo, name: str, size: str) -> None:
    width, height = SIZES.get(size, (320, 568))
    demo.page.set_viewport_size({"width": width, "height": height})
    for seats in (RULESETS[name].seats[0], RULESETS[name].seats[-1]):
        demo.show(scene_of(name, seats))
        found: Any = demo.page.evaluate(MEASURES)
        assert found["wide"] <= width, "the page scrolls sideways"
        assert [each for each in found["buttons"] if min(each[1:]) < SMALLEST] == []
        if width < 760:
            assert [each for each in found["own"] if each[1] < OWN - 4] == []
        assert found["outside"] == []
    demo.page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize("kind", ["swap", "keep", "steal", "look"])
def test_all_of_a_full_table_is_in_sight_on_a_phone(demo: Demo, kind: str) -> None:
    demo.page.set_viewport_size({"width": 390, "height": 844})
    name = "skyjo_action"  # nothing else has as many cards
    demo.show(scene_with(name, RULESETS[name].seats[-1], kind), begin=kind)
    assert demo.page.evaluate(SCROLLS) <= 0
    demo.page.set_viewport_size({"width": 1280, "height": 800})


SCROLLS = """() => {
  const { scrollHeight, clientHeight } = document.querySelector(".table");
  return scrollHeight - clientHeight;
}"""

MEASURES = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const size = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return [`${element.className} ${element.dataset.thing ?? ""}`, width, height];
  };
  const table = document.querySelector(".table").getBoundingClientRect();
  const outside = (card) => {
    const { left, right } = card.getBoundingClientRect();
    return !card.closest(".others") && (left < table.left - 1 || right > table.right + 1);
  };
  return {
    wide: document.documentElement.scrollWidth,
    buttons: all("button, select, input, summary").filter((element) => element.offsetParent).map(size),
    own: all(".mine .hand .card, .mine > .lined .card").map(size),
    outside: all(".table .card").filter(outside).map((card) => card.dataset.thing),
  };
}"""
