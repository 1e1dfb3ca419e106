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
from tests.web.browsers import LEGAL, chromium
from tests.web.pictures import DRAWN, ROOT, SIZES, Demo, scene_of, scene_with, served
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


@pytest.mark.by_default("[scopinion]")  # the most cards
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
