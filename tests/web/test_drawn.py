"""What the descriptions name is drawn: every legal move can be clicked, on every screen, under the service's policy.

Faces of cards are told apart without colour, and the colours of the styles have enough contrast.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.browsers import chromium
from tests.web.pictures import DRAWN, ROOT, Demo, scene_of, served
from tests.web.scenes import spread


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    with served() as address, chromium() as browser:
        yield Demo(browser, address)


@pytest.mark.by_default("[scandaroon]")
@pytest.mark.parametrize("name", DRAWN)
def test_every_legal_move_is_reached_by_buttons(demo: Demo, name: str) -> None:
    scenes = [scene for scene in spread(games=3, moves=90, every=31, only=name) if len(scene.legal) <= 60]
    assert len(scenes) >= 4
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
    share = walked if everything else walked[WINDOWS.index(window) :: 8] if window in WINDOWS else walked[:1]
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


@pytest.mark.by_default(f"[{DRAWN[0]}]", f"[{DRAWN[-1]}]")
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


# --- faces are told apart without colour ----------------------------------------------------------------------------

WIDTH, HEIGHT = 48, 67
LEAST = 0.02
"""The share of pixels in which two different cards differ at least."""
VISIONS = ("none", "achromatopsia", "deuteranopia", "protanopia", "tritanopia")


def different_cards(name: str) -> list[Any]:
    """The cards of the default deck, of equal ones the first; SCOUT's both ways up."""
    deck = next(iter(RULESETS[name].decks.values()))
    data = builtins(deck.data)
    if name == "scout":
        return [list(way) for low, high in deck.cards for way in ((low, high), (high, low))]
    if isinstance(data.get("cards"), list | tuple):
        return list({str({**card, "id": ""}): card["id"] for card in reversed(data["cards"])}.values())
    return list(dict.fromkeys(deck.cards))


@pytest.mark.by_default(f"[{DRAWN[0]}]")  # the fewest cards
@pytest.mark.parametrize("name", DRAWN)
def test_different_cards_differ_in_every_vision(demo: Demo, name: str) -> None:
    cards, deck = different_cards(name), builtins(next(iter(RULESETS[name].decks.values())).data)
    page = demo.page
    page.reload()
    page.wait_for_function("window.ready")
    places = page.evaluate(
        "([name, cards, deck, width]) => sheet(name, cards, deck, width)", [name, cards, deck, WIDTH]
    )
    assert len(places) == len(cards) + 1
    session = page.context.new_cdp_session(page)
    for vision in VISIONS:
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
        picture = base64.b64encode(page.screenshot(full_page=True)).decode()
        alike = page.evaluate(
            "([picture, ...rest]) => alike(picture, ...rest)",
            [f"data:image/png;base64,{picture}", places, WIDTH, HEIGHT, LEAST],
        )
        named = [*cards, "back"]
        assert [(named[a], named[b], share) for a, b, share in alike] == [], vision
    session.detach()
    assert demo.complaints == []


# --- contrast -----------------------------------------------------------------------------------------------------


def custom_properties(scheme: int) -> dict[str, str]:
    """The hexadecimal colours of base.css: 0 light, 1 dark. A cloth's are `felt` with its name behind a dot."""
    found: dict[str, str] = {}
    for block in re.finditer(r"([^{}]+)\{([^{}]*)\}", (ROOT / "web/style/base.css").read_text()):
        cloth = re.search(r'data-cloth="(\w+)"', block[1])
        for name, value in re.findall(r"--([\w-]+): ([^;]+);", block[2]):
            colours = re.findall(r"#[0-9a-f]{6}\b", value)
            if colours:
                found[f"{name}.{cloth[1]}" if cloth else name] = colours[scheme if "light-dark" in value else 0]
    return found


def fills(sheet: str) -> dict[str, str]:
    """Colours of fills by their selector."""
    text = (ROOT / "web/style" / sheet).read_text()
    return dict(re.findall(r"^(\S[^{\n]*?) \{ fill: (#[0-9a-f]{6})", text, re.M))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


ON_PAPER = [
    ("ink", "paper", 7), ("ink", "paper2", 7), ("ink", "wall", 7), ("soft", "paper", 4.5), ("soft", "paper2", 4.5),
    ("soft", "wall", 4.5), ("link", "paper", 4.5), ("link", "paper2", 4.5), ("link", "wall", 4.5),
    ("warn", "paper", 4.5), ("on-go", "go", 4.5), ("on-brass", "brass", 7), ("on-brass", "brass2", 4.5),
    ("on-wood", "wood", 4.5),
    ("on-wood", "wood2", 4.5), ("on-wood-soft", "wood", 4.5), ("on-wood-soft", "wood2", 4.5), ("focus", "wall", 3),
    ("focus", "paper", 3), ("brass", "wood", 3),
]  # fmt: skip
ON_CLOTH = [("ivory", 4.5), ("ivory2", 4.5), ("brass", 3), ("last", 3)]


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_and_shapes_have_contrast_on_paper_wood_and_cloth(scheme: int) -> None:
    colours = custom_properties(scheme)
    cloths = [name for name in colours if name.split(".")[0] in ("felt", "felt2")]
    assert len(cloths) == 12
    pairs = [*ON_PAPER, *((name, cloth, least) for cloth in cloths for name, least in ON_CLOTH)]
    weak = [
        (a, b, contrast(colours[a], colours[b])) for a, b, least in pairs if contrast(colours[a], colours[b]) < least
    ]
    assert weak == []


def test_ink_has_contrast_on_every_tint_and_signs_on_every_dark_ground() -> None:
    found, colours = fills("cards.css"), custom_properties(0)
    grounds = re.compile(r"^(\.tint\.t\d|\.u\d+|\.y-\w+|\.ground)$")
    tints = [colour for name, colour in found.items() if grounds.match(name)]
    assert len(tints) == 5 + 10 + 5
    assert [tint for tint in tints if contrast(tint, colours["card-ink"]) < 7] == []
    dark = [colour for name, colour in found.items() if re.match(r"^(\.medal, \.bar|\.night|\.s-\w+)$", name)]
    assert len(dark) == 9
    assert [ground for ground in dark if contrast(ground, "#fff8e8") < 4.5] == []
    assert contrast(found[".stripe"], "#fff8e8") >= 3
    assert contrast(found[".glyph .red"], colours["card"]) >= 4.5
    assert contrast(found[".glyph .f.green"], colours["card"]) >= 4.5


WORDS = """async (texts) => {
  const { drawFace } = await import("/web/table/card.js"), place = document.createElement("div");
  const { describe } = await import("/web/core/describe.js");
  const { face } = describe({ schemas: { view: {}, move: {} } });
  place.className = "card";
  place.style.setProperty("--w", "80px");
  document.body.append(place);
  const found = texts.map((text) => {
    place.replaceChildren(drawFace(face(text)));
    const scale = place.getBoundingClientRect().width / 100;
    return [...place.querySelectorAll("text")].map((each) => {
      const box = each.getBBox();
      const inside = box.x >= 0 && box.y >= 0 && box.x + box.width <= 100 && box.y + box.height <= 140;
      return { text: each.textContent, size: parseFloat(getComputedStyle(each).fontSize) * scale, inside };
    });
  });
  place.remove();
  return found;
}"""


def test_cards_that_nobody_has_drawn_can_be_read(demo: Demo) -> None:
    """At a width of 80 px text has at least 14 px, and stays on the card."""
    texts = [
        "7",
        "11/22",
        "red_skip-turn",
        "Grünkohl mit Pinkel",
        "WWWWWWWWWWWWWWWW",
        "a b c d e f g h i j k l m n o " * 9,
    ]
    found = demo.page.evaluate(WORDS, texts)
    lines = [line for each in found for line in each]
    assert [[line["text"] for line in each] for each in found[:4]] == [
        ["7"], ["11/22"], ["red_", "skip-", "turn"], ["Grünkohl", "mit", "Pinkel"],
    ]  # fmt: skip
    assert [line for line in lines if line["size"] < 14 or not line["inside"]] == []
    assert found[-1][-1]["text"].endswith("…")
