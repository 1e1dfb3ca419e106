"""What the descriptions name is drawn: every legal move can be clicked, on every screen, under the service's policy."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.browsers import chromium
from tests.web.pictures import DRAWN, Demo, scene_of, served
from tests.web.scenes import spread


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


def frame_height(width: int) -> int:
    """The height that an embedded table of this width chooses, as in `web/pages/embed.js`."""
    return 900 if width <= 760 else max(780, min(900, round(width * 0.62)))


WINDOWS = ((1920, 1080), (1280, 800), (844, 390), (390, 844), (360, 640))
WIDTHS = (390, 700, 761, 1000, 1172, 1600)
FRAMES = tuple((width, frame_height(width)) for width in WIDTHS[1:5])


@pytest.fixture(scope="module", params=DRAWN)
def walked(request: pytest.FixtureRequest, everything: bool) -> list[Any]:
    """Positions of random games with every number of seats, of one ruleset."""
    games, every = (20, 9) if everything else (4, 40)
    return [builtins(scene) for scene in spread(games=games, moves=90, every=every, only=request.param)]


@pytest.mark.parametrize("window", [*WINDOWS, *FRAMES], ids=lambda window: "x".join(map(str, window)))
def test_everything_is_in_sight(demo: Demo, walked: list[Any], window: tuple[int, int], everything: bool) -> None:
    """The laws of `sight.js`, at rest and while a move of each type is composed, in both languages."""
    share = walked if everything else walked[WINDOWS.index(window) :: 4] if window in WINDOWS else walked[:1]
    found = demo.walk(share, window, "de")
    if everything:
        found += demo.walk(share, window, "en")
    assert not found, "\n".join(found)
    assert demo.complaints == []


FAULTS = {
    "A1": ".mine { translate: 0 60px }",
    "A2": ".board::after { content: ''; position: absolute; inset: 0; z-index: 9 }",
    "A3": ".centre .pile { margin-right: -40px }",
    "A4": ".mine .card { scale: .4 }",
    "A5": ".centre { overflow: auto } .centre::after { content: ''; display: block; height: 2000px }",
    "A6": ".rail { height: 3rem }",
    "A7": ".ask strong { height: 4px }",
    "A11": ".extra .plate { translate: 0 300px }",
}


@pytest.mark.parametrize("law", FAULTS)
def test_a_planted_fault_is_found(demo: Demo, law: str) -> None:
    scene = scene_of("skyjo", 4)
    assert demo.walk([scene], (390, 844), "en") == []
    demo.page.evaluate(PLANT, FAULTS[law])
    try:
        assert {each.partition(": ")[2].partition(" ")[0] for each in demo.walk([scene], (390, 844), "en")} >= {law}
    finally:
        demo.page.evaluate("document.adoptedStyleSheets = []")


@pytest.mark.parametrize("name", DRAWN)
def test_cards_grow_with_the_window_and_nothing_moves_under_a_pointer(demo: Demo, name: str) -> None:
    """From 1280 to 1920 pixels own cards are at least a fifth wider, or as wide as they may be."""
    widths, most = [], 200
    for window in ((1280, 800), (1920, 1080)):
        demo.page.set_viewport_size({"width": window[0], "height": window[1]})
        demo.show(scene_of(name, RULESETS[name].seats[0]))
        widths.append(demo.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.mine .card')).width)"))
    assert widths[1] >= min(widths[0] * 1.2, most), widths
    before = demo.page.evaluate(PLACES)
    for place in demo.page.locator(".board [data-thing]").all()[:12]:
        place.hover(force=True)
    demo.page.mouse.move(1, 1)
    assert demo.page.evaluate(PLACES) == before


PLANT = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [sheet];
}"""

PLACES = """() => [...document.querySelectorAll(".box, .plate, .rail, .rail .btn, .side, .pile")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height].map((value) => Math.round(value * 2) / 2).join(" ");
})"""
