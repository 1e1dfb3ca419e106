"""Names that are written from right to left: what stands beside a name stays beside it, on the screen."""

from collections.abc import Callable

import pytest

from tests.web.browsers import Visitor

NAMES = ["Carl", "דנה", "אבי"]
POINTS = [128, 35, 72]

ORDER = """async ([names, points, isolates]) => {
  const base = document.querySelector("script[type=module]").src.replace(/pages\\/.*/, "core/");
  const { sentence } = await import(`${base}talk.js`), { sayer } = await import(`${base}words.js`);
  const say = sayer({ of: "{who} {n}", all: "{one}, {two}, {three}" }, "en");
  const each = names.map((who, at) => say("of", { who, n: points[at] }));
  const texts = [
    sentence("Points of the round: {points:by_seat}", { points }, { names, labels: {}, say }),
    say("all", { one: each[0], two: each[1], three: each[2] }),
  ];
  return texts.map((text) => {
    const line = document.createElement("p");
    line.textContent = isolates ? text : text.replace(/[\\u2066-\\u2069]/g, "");
    document.body.append(line);
    const node = line.firstChild, parts = [...names, ...points.map(String)];
    const left = (part) => {
      const range = document.createRange(), at = node.data.indexOf(part);
      range.setStart(node, at);
      range.setEnd(node, at + part.length);
      return range.getBoundingClientRect().left;
    };
    return parts.toSorted((one, other) => left(one) - left(other));
  });
}"""
"""The parts of two sentences, from left to right as they are drawn."""


@pytest.mark.parametrize("isolates", [True, False])
def test_points_are_drawn_beside_their_names(guests: Callable[[str], Visitor], isolates: bool) -> None:
    """Without the isolates they are not, so the measure can fail."""
    page = guests("").visit("standings")
    page.locator("main h1").wait_for()
    ordered = [str(part) for pair in zip(NAMES, POINTS, strict=True) for part in pair]
    drawn = page.evaluate(ORDER, [NAMES, POINTS, isolates])
    assert [each == ordered for each in drawn] == [isolates, isolates], drawn
