"""Measures of a page that is open in the browser, for the laws of the table: `sight.js`, `ink.js`, and what moves.

Each returns what it finds wrong. A test shows of each that it finds a fault (`planted`).
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.web import limits

HERE = Path(__file__).parent
WINDOWS = (
    (1920, 1080), (1280, 800), (844, 390), (390, 844), (360, 640),
    (640, 400), (667, 375), (740, 360), (768, 1024), (800, 1280), (820, 1180), (1024, 768),
)  # fmt: skip
"""Desks, phones, small windows that lie (also 1280 x 800 at 200 %), and tablets."""


@cache
def module(name: str) -> str:
    """The text of a module of this folder, to be run within a function: pages of the service import no tests."""
    return re.sub(r"^export ", "", (HERE / name).read_text(), flags=re.M)


def called(page: Page, function: str, *given: Any) -> Any:
    """What a function of the page returns. Its arguments are one text: of nested ones Playwright takes each value
    apart, three times."""
    return page.evaluate(f"(given) => {function}(...JSON.parse(given))", json.dumps(given))


def measured(page: Page, name: str, call: str, *given: Any) -> Any:
    """What a call of a function of the module returns; `given` are its arguments."""
    return called(page, f"(() => {{ {module(name)}\nreturn {call}; }})()", *given)


def out_of_sight(page: Page) -> list[str]:
    """Violations of A1 to A7, A11 and A12 by the table that is shown."""
    found: list[str] = measured(page, "sight.js", "violations")
    return found


def covered(page: Page) -> list[str]:
    """Violations of A12 alone: what lies over a thing that can be clicked."""
    found: list[str] = measured(page, "sight.js", "covered")
    return found


@contextmanager
def drawn(page: Page) -> Iterator[None]:
    """The page is painted meanwhile, if it is not by itself."""
    page.evaluate("globalThis.undrawn && (undrawn.disabled = true)")
    yield
    page.evaluate("globalThis.undrawn && (undrawn.disabled = false)")


def unreadable(page: Page) -> list[str]:
    """Violations of A18, on the picture of the window as it is."""
    with drawn(page):
        texts = measured(page, "ink.js", "texts")
        measured(page, "ink.js", "bare", True)
        try:
            picture = base64.b64encode(page.screenshot(animations="disabled")).decode()
        finally:
            measured(page, "ink.js", "bare", False)
    found: list[str] = measured(page, "ink.js", "pale", f"data:image/png;base64,{picture}", texts)
    return found


def inaccessible(page: Page, within: str = "") -> list[str]:
    """Violations of A17: everything that axe finds, in the page or in what the selector names."""
    if not page.evaluate("Boolean(globalThis.axe)"):
        page.evaluate(AXE_SCRIPT)
    with drawn(page):
        found: list[str] = page.evaluate(AXE, within)
    return found


AXE = """async (within) => {
  const { violations } = await axe.run(within || document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `A17 ${id}: ${html.slice(0, 200)}`));
}"""
"""Only lines leave the page: all results take twice the time, since Playwright takes each value apart."""


SHIFTS = """() => new Promise((done) => new PerformanceObserver((list) => done(
  list.getEntries().reduce((sum, { value, hadRecentInput }) => hadRecentInput ? sum : sum + value, 0)
)).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => done(0), 300))"""


def moved(page: Page) -> list[str]:
    """Violations of A25: how far what was shown has moved by itself, the sum of all layout shifts since the page was
    loaded."""
    shifts: float = page.evaluate(SHIFTS)
    return [f"A25 layout shifts of {shifts:.3f}"] if shifts > limits.SHIFT else []


BROKEN = """() => [...document.querySelectorAll(".btn, .tool, .bar .to")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".phrases, .rail:not(.scrub)"))
  .flatMap((each) => {
    const within = each.getBoundingClientRect(), range = document.createRange(), lines = [];
    const words = document.createTreeWalker(each, NodeFilter.SHOW_TEXT, ({ data, parentElement }) =>
      data.trim() && !parentElement.closest(".vh, kbd") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
    while (words.nextNode()) {
      range.selectNodeContents(words.currentNode);
      lines.push(...[...range.getClientRects()].filter(({ width }) => width > 1));
    }
    const left = Math.max(0, within.left) - 1, right = Math.min(innerWidth, within.right) + 1;
    const wraps = lines.some(({ top }) => top >= lines[0].bottom - 2);
    const cut = lines.some((line) => line.left < left || line.right > right);
    return wraps || cut ? [`${wraps ? "wraps" : "cut"}: ${each.textContent.replace(/\\s+/g, " ").trim()}`] : [];
  })"""
"""Phrases may have two lines, and so may moves in the rail, whose texts are those of cards."""


def broken(page: Page) -> list[str]:
    """Buttons whose text wraps or is cut, at the width of the window."""
    found: list[str] = page.evaluate(BROKEN)
    return found


PLACES = """() => [...document.querySelectorAll(".box, .box li, .plate, .pile, .rail, .rail .btn, .side, .bar .tool")]
  .map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const place = [x, y, width, height].map((value) => Math.round(value * 2) / 2);
    return [each.className || each.tagName, ...place].join(" ");
  })"""
"""Of cards the places count: a card that rises under a pointer does not move its place."""

RESTING = ".board [data-thing], .plate, .rail .btn, .bar .tool"


def unsteady(page: Page, most: int, rest: Callable[[], object] = lambda: None) -> list[str]:
    """Violations of A10: what moves while a pointer rests, on each of this number of things. `rest` lets time pass."""
    page.mouse.move(1, 1)
    before, found = page.evaluate(PLACES), list[str]()
    things = page.locator(RESTING).all()
    for place in things[:: max(1, len(things) // most)]:
        if not (box := place.bounding_box()):
            continue
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        rest()
        after = page.evaluate(PLACES)
        found += [f"A10 {was} -> {now}" for was, now in zip(before, after, strict=False) if was != now]
        found += [] if len(before) == len(after) else [f"A10 {len(before)} things -> {len(after)}"]
    page.mouse.move(1, 1)
    return found


PLANT = """(text) => {
  const sheet = globalThis.fault = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
PULL = "document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== globalThis.fault)"


@contextmanager
def planted(page: Page, style: str) -> Iterator[None]:
    """A fault in the styles of the page."""
    page.evaluate(PLANT, style)
    try:
        yield
    finally:
        page.evaluate(PULL)
