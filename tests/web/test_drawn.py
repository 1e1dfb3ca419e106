"""What the descriptions name is drawn: every legal move can be clicked, on every screen, under the service's policy."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.browsers import LEGAL, chromium
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


WIDTHS = (390, 700, 760, 761, 800, 900, 1000, 1001, 1100, 1172, 1300, 1600)


def frame_height(width: int) -> int:
    """The height that an embedded table of this width chooses, as in `web/pages/embed.js`."""
    return 900 if width <= 760 else max(780, min(900, round(width * 0.62)))


@pytest.mark.parametrize("name", DRAWN)
def test_nothing_that_the_player_needs_is_cut_off_in_a_frame(demo: Demo, name: str, everything: bool) -> None:
    """Own cards, plate and buttons, and all that can be clicked. With every number of seats, in the longer language."""
    games, every = (8, 23) if everything else (4, 45)
    cut: list[str] = []
    for number, scene in enumerate(spread(games=games, moves=90, every=every, only=name)):
        demo.show(builtins(scene), language="de")
        for width in WIDTHS:
            height = frame_height(width)
            demo.page.set_viewport_size({"width": width, "height": height})
            cut += [f"{width} x {height}, scene {number}: {each}" for each in demo.page.evaluate(CUT_OFF)]
    demo.page.set_viewport_size({"width": 1280, "height": 800})
    assert not cut, "\n".join(cut)


CUT_OFF = """() => {
  const table = document.querySelector(".table").getBoundingClientRect();
  const rail = document.querySelector(".table > .rail").getBoundingClientRect();
  const scrolls = getComputedStyle(document.querySelector(".table")).overflowY === "auto";  // on phones
  const all = [...document.querySelectorAll(".mine [data-thing], .mine .plate, .hand [data-thing], LEGAL, .rail .btn")];
  const seen = (each) => each.checkVisibility() && !(scrolls && each.closest(".others"));
  return all.filter(seen).flatMap((each) => {
    const box = each.getBoundingClientRect();
    const bottom = each.closest(".rail") ? innerHeight : scrolls ? Infinity : rail.top;
    const beyond = [box.bottom - bottom, table.top - box.top, table.left - box.left, box.right - table.right];
    return box.width && Math.max(...beyond) > 3 ? [`${each.dataset.thing ?? each.className} ${beyond}`] : [];
  });
}""".replace("LEGAL", LEGAL)


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
