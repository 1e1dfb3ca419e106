"""What the descriptions name is drawn: every legal move can be clicked, on every screen, under the service's policy.

Faces of cards are told apart without colour, and the colours of the styles have enough contrast.
"""

import base64
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.measures import WINDOWS, called, drawn, planted, unsteady
from tests.web.pictures import DRAWN, REPLAY, ROOT, Demo, count, scene_long, scene_of, scene_where, scene_with, served
from tests.web.scenes import Scene, spread


@pytest.fixture(scope="module")
def demo(browser: Browser) -> Iterator[Demo]:
    with served() as address:
        demo = Demo(browser, address, drawn=False, reduced_motion="reduce")
        yield demo
        demo.page.close()


@pytest.mark.by_default("[scandaroon]")
@pytest.mark.parametrize("name", DRAWN)
def test_every_legal_move_is_reached_by_buttons(demo: Demo, name: str) -> None:
    scenes = [scene for scene in spread(games=3, moves=90, every=31, only=name) if len(scene.legal) <= 60]
    assert len(scenes) >= 4
    for scene in scenes:
        missing = called(demo.page, "unreachable", builtins(scene))
        assert missing == [], scene.view
    assert demo.complaints == []


def frame_height(width: int) -> int:
    """The height that an embedded table of this width chooses, as in `web/pages/embed.js`."""
    return 900 if width <= 760 else max(780, min(900, round(width * 0.62)))


WIDTHS = (390, 700, 761, 1000, 1172, 1600)
FRAMES = tuple((width, frame_height(width)) for width in WIDTHS[1:5])


@pytest.fixture(scope="module", params=DRAWN)
def walked(request: pytest.FixtureRequest, everything: bool) -> list[Any]:
    """Positions of random games with every number of seats, of one ruleset. `make nightly` walks through many more."""
    games, every = (6, 20) if everything else (4, 40)
    return [builtins(scene) for scene in spread(games=games, moves=90, every=every, only=request.param)]


BY_DEFAULT = [
    f"[{name}-{width}x{height}]"
    for number, name in enumerate(DRAWN)
    for at, (width, height) in enumerate([*WINDOWS, *FRAMES])
    if (number + at) % 3 == 0
]
"""Rulesets take turns: each window has one or two of them."""


@pytest.mark.by_default(*BY_DEFAULT)
@pytest.mark.parametrize("window", [*WINDOWS, *FRAMES], ids=lambda window: "x".join(map(str, window)))
def test_everything_is_in_sight(demo: Demo, walked: list[Any], window: tuple[int, int], everything: bool) -> None:
    """The laws of `sight.js`, at rest and while a move of each type is composed, in both languages."""
    share = walked if everything else walked[WINDOWS.index(window) % 8 :: 8] if window in WINDOWS else walked[:1]
    found = demo.walk(share, window, "de")
    if everything:
        found += demo.walk(share, window, "en")
    assert not found, "\n".join(found)
    assert demo.complaints == []


@pytest.mark.checked
def test_text_can_be_read(demo: Demo, walked: list[Any], everything: bool) -> None:
    """A18, on pictures: by default of one position in each of two windows, of a phone and of a desk."""
    number = DRAWN.index(walked[0]["ruleset"])
    windows = WINDOWS if everything else (WINDOWS[2 + number % 3], WINDOWS[number % 2])
    found = []
    for at, window in enumerate(windows):
        for position in walked[at::4] if everything else walked[at : at + 1]:
            for theme in ("light", "dark") if everything else (("light", "dark")[(at + number) % 2],):
                found += demo.paint(position, window, "en", theme)
    assert not found, "\n".join(found)


FAULTS = {
    "A1": ".mine { translate: 0 60px }",
    "A2": ".board::after { content: ''; position: absolute; inset: 0; z-index: 9 }",
    "A3": ".centre .pile { margin-right: -40px }",
    "A4": ".mine .card { scale: .4 }",
    "A4, middle": ".centre .card { scale: .55 }",
    "A5": ".centre { overflow: auto } .centre::after { content: ''; display: block; height: 2000px }",
    "A6": ".rail { height: 3rem }",
    "A7": ".ask strong { height: 4px }",
    "A7, caption": ".pile figcaption em { position: static; clip-path: none; width: 20px }",
    "A7, counts": ".counts { translate: 90px 0 }",
    "A11": ".extra .plate { translate: 0 300px }",
    "A12": ".board::after { content: ''; position: absolute; inset: 0; z-index: 9; pointer-events: none }",
    "A7, beyond": ".ask strong { font-size: 60px !important }",
    "A26": ".others .card { width: 90px !important }",
    "A18": ".counts { font-size: 9px }",
    "A18, contrast": ".pile figcaption { color: #8ba }",
}


@pytest.mark.planted("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A11", "A12", "A18", "A26")
@pytest.mark.parametrize("law", FAULTS)
def test_a_planted_fault_is_found(demo: Demo, law: str) -> None:
    scene, window, law, fault = scene_of("skyjo", 4), (390, 844), law.partition(",")[0], FAULTS[law]

    def found() -> set[str]:
        lines = demo.paint(scene, window, "en", "light") if law == "A18" else demo.walk([scene], window, "en")
        return {line.partition(": ")[2].partition(" ")[0] for line in lines}

    assert found() == set()
    with planted(demo.page, fault):
        assert found() >= {law}


def test_why_a_move_is_asked_again_is_said_after_a_tap_on_a_card(demo: Demo) -> None:
    """What the card does that a finger has chosen is said while nothing is asked again."""
    scene = scene_where("scandaroon", 3, lambda scene: bool(scene.view["hands"][scene.you]))
    labels, hand = scene["labels"]["en"], scene["view"]["hands"][scene["you"]]
    labels["captions"][hand[0]] = "What it does."
    tapped = {"hover": f"hands/{scene['you']}/0", "tapped": True}

    def hint(**options: Any) -> str:
        demo.show(scene, language="en", **tapped, **options)
        return demo.page.inner_text(".ask span")

    assert hint() == "What it does."
    assert hint(confirm={"type": "pass"}) in labels["prompts"]["turn>pass!"]["say"]
    labels["prompts"]["turn>pass!"]["say"] = "Pass."  # nothing is to be said of it
    assert hint(confirm={"type": "pass"}) == "What it does."


@pytest.mark.by_default("[skyjo]")
@pytest.mark.parametrize("name", ["skyjo", "skyjo_action"])
def test_layouts_of_others_stay_as_large_when_something_is_done(demo: Demo, name: str) -> None:
    """A10: what was done is written below a seat, where room is kept for it."""
    scene = scene_of(name, 4)
    demo.page.set_viewport_size({"width": 390, "height": 844})
    sizes, tossed = [], {"type": "tossed", "seat": (scene["you"] + 1) % 4, "card": 5}
    for events in ([], [tossed]):
        demo.show(scene | {"events": events})
        sizes.append(demo.page.evaluate(
            "[...document.querySelectorAll('.others .grid .card')].map((card) => card.getBoundingClientRect().toJSON())"
        ))  # fmt: skip
    assert demo.page.locator(".deed span").count()
    assert sizes[0] == sizes[1]


@pytest.mark.planted("A7")
def test_what_others_did_is_never_cut_and_its_signs_have_their_colours(demo: Demo) -> None:
    """The longest deeds of scopinion, in German, in a phone and a small one."""
    scene = scene_of("scopinion", 4)
    bought = {"type": "bought", "seat": (scene["you"] + 1) % 4, "card": "t12-1", "to": "stage"}
    paid = bought | {
        "seat": (scene["you"] + 2) % 4,
        "card": "t22-1",
        "how": "pay",
        "laid": ["b4-1", "c4-2", "c9-2", "c5-1"],
    }
    scene |= {"events": [bought | {"how": "triple", "laid": ["b3-1", "c9-2"]}, paid]}
    for window in WINDOWS[3:5]:
        assert demo.walk([scene], window, "de") == []
    assert demo.page.locator(".deed span").count() == 2
    hearts = demo.page.locator(".deed .chip .f.red")
    assert {*hearts.evaluate_all("all => all.map((each) => getComputedStyle(each).fill)")} == {"rgb(194, 38, 46)"}
    with planted(demo.page, ".deed { white-space: nowrap }"):
        assert any(" A7 " in line for line in demo.walk([scene], WINDOWS[4], "de"))


def test_what_others_did_is_told_in_short_beside_lanes_on_a_phone(demo: Demo) -> None:
    """With the longest short forms that a deed of scandaroon has; in a low window there is no room for it."""
    scene, done = scene_of("scandaroon", 4), ["exchanged", "stone_played", "used"]
    scene["events"] = [
        {"type": what, "seat": (scene["you"] + at) % 4, "position": 0, "card": "x"} for at, what in enumerate(done, 1)
    ]
    told = demo.page.locator(".deed b:visible")
    for window, seen in ((WINDOWS[3], 3), (WINDOWS[4], 0)):
        for language in ("en", "de"):
            assert demo.walk([scene], window, language) == []
            labels = [scene["labels"][language]["events"][what] for what in done]
            assert told.all_inner_texts() == labels[:seen]


@pytest.mark.by_default("[scout]")
@pytest.mark.parametrize("name", DRAWN)
def test_spectators_on_a_phone_see_seats_in_the_room_of_an_own_hand(demo: Demo, name: str) -> None:
    """And none is cut off at the right."""
    demo.page.set_viewport_size({"width": 390, "height": 844})
    demo.show(scene_of(name, max(RULESETS[name].seats)), watching=True)
    board, seats = (
        demo.page.locator(where).bounding_box() for where in (".board", ".board > :is(.others, .rows)")
    )  # fmt: skip
    assert board
    assert seats
    assert seats["height"] > board["height"] / 2
    assert seats["x"] + seats["width"] < board["x"] + board["width"]


@pytest.mark.by_default("1920", "[(360, 640)]", "[(844, 390)]")
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_spectators_see_the_cards_in_the_middle(demo: Demo, window: tuple[int, int]) -> None:
    """Of Skyjo Action, whose open action cards are beside the piles."""
    demo.page.set_viewport_size({"width": window[0], "height": window[1]})
    demo.show(scene_of("skyjo_action", 3), watching=True)
    shown = demo.page.locator(".market .card").evaluate_all("all => all.map((each) => each.offsetWidth)")
    assert len(shown) > 3
    assert min(shown) > 15, shown


ROOM = """(select) => {
  const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select), arrow = 16;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${fontSize} ${fontFamily}`;  // `font` is empty where a form has its own line height
  const words = pen.measureText(select.options[0].text).width;
  return select.clientWidth - words - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
}"""
"""Pixels beside what a closed list shows."""


@pytest.mark.by_default("844x390", "360x640", "1024x768")
@pytest.mark.parametrize("window", [*WINDOWS, *FRAMES], ids=lambda window: "x".join(map(str, window)))
def test_the_buttons_of_a_replay_are_in_the_rail(demo: Demo, window: tuple[int, int]) -> None:
    """With the longer words of German, and of English in the choice of eyes, which is not cut."""
    demo.page.set_viewport_size({"width": window[0], "height": window[1]})
    for language, everybody in (("de", "Alle"), ("en", "Everybody")):
        eyes = [{"value": "all", "label": everybody}, *REPLAY["perspectives"]]
        demo.show(scene_of("skyjo", 2), language=language)  # a list that changes its words keeps its width
        demo.show(scene_of("skyjo", 2), replay=REPLAY | {"perspectives": eyes}, language=language)
        demo.page.wait_for_selector(".scrub")  # its module and its style are loaded with the first replay
        demo.page.wait_for_function("getComputedStyle(document.querySelector('.scrub select')).borderRadius === '22px'")
        boxes = demo.page.locator(".scrub :is(button, select)").evaluate_all(
            "all => all.map((each) => [each.scrollWidth - each.clientWidth, each.getBoundingClientRect().right])"
        )
        rail = demo.page.locator(".rail").bounding_box()
        assert rail
        assert len(boxes) > 7
        assert max(right for _, right in boxes) <= min(window[0], rail["x"] + rail["width"])
        assert max(cut for cut, _ in boxes) <= 1
        assert demo.page.locator(".scrub select").evaluate(ROOM) >= 0


@cache
def in_the_middle() -> list[Any]:
    """Positions of Skyjo Action where a drawn card is kept, laid and tossed, and an action card taken."""
    kinds = {"keep": 1, "drop": 1, "take_action": 5}
    return [scene_with("skyjo_action", 4, kind, more) for kind, more in kinds.items()]


@pytest.mark.by_default("844x390", "360x640", "640x400")
@pytest.mark.parametrize("window", WINDOWS[2:], ids=lambda window: "x".join(map(str, window)))
def test_cards_that_are_chosen_in_the_middle_can_be_hit_on_a_phone(demo: Demo, window: tuple[int, int]) -> None:
    """Of Skyjo Action: A1 to A4 while one of three drawn cards is kept, laid and tossed, and an action card taken."""
    scenes = in_the_middle()
    assert demo.walk(scenes, window, "en") == []
    demo.show(scenes[0])
    boxes = demo.page.locator(".hold .legal").evaluate_all("all => all.map((card) => card.getBoundingClientRect())")
    assert len(boxes) == 3
    assert min(box["width"] for box in boxes) >= 44
    apart = [box["left"] >= other["right"] or box["top"] >= other["bottom"] for other, box in pairwise(boxes)]
    assert all(apart), "the number at the bottom of a card is hidden"


@pytest.mark.by_default("761x780")
@pytest.mark.parametrize("window", FRAMES[1:], ids=lambda window: "x".join(map(str, window)))
def test_cards_of_others_can_be_hit_in_a_small_window(demo: Demo, window: tuple[int, int]) -> None:
    """A4 in an embedded table of Skyjo Action: few seats have room beside each other, many are a strip."""
    scenes = [scene_with("skyjo_action", seats, "pick", 12) for seats in (3, 7)]
    assert demo.walk(scenes, window, "en") == []


def test_the_seat_that_is_aimed_at_is_in_sight_of_a_phone(demo: Demo) -> None:
    """Of six others, whose strip is wider than the window."""

    def far(scene: Scene) -> bool:
        aimed = {move["seat"] for move in scene.legal if move["type"] == "pick"}
        return len(aimed) == 1 and (aimed.pop() - (scene.you or 0)) % scene.seats > 3

    demo.page.set_viewport_size({"width": 1280, "height": 800})
    demo.show(scene_where("skyjo_action", 7, far))
    demo.page.set_viewport_size({"width": 390, "height": 844})
    demo.page.wait_for_function("""() => {
      const { left, right } = document.querySelector(".others > .seat:has(.legal)").getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    }""")


def test_a_star_has_its_own_article_in_german(demo: Demo) -> None:
    for card, question in (("star", "Wohin kommt der Stern?"), (4, "Wohin kommt die 4?")):
        scene = scene_where("skyjo_action", 3, lambda scene, card=card: scene.view["held"] == card)
        demo.show(scene, language="de")
        assert demo.page.inner_text(".ask strong") == question
        assert " sie " not in demo.page.inner_text(".ask span")


@pytest.mark.parametrize("window", [(390, 844), (360, 640)], ids=str)
def test_the_names_of_all_trumps_fit_on_a_phone(demo: Demo, window: tuple[int, int]) -> None:
    scene = scene_with("scandaroon", 3, "set_trump", 4)
    assert demo.walk([scene], window, "de") == []
    demo.show(scene, language="de")
    picks = demo.page.locator(".rail .picks").bounding_box()
    assert picks
    assert picks["x"] + picks["width"] <= window[0] - picks["x"]


@pytest.mark.parametrize("window", [(390, 844), (360, 640)], ids=str)
@pytest.mark.parametrize("language", ["en", "de"])
def test_piles_have_names_on_a_phone(demo: Demo, language: str, window: tuple[int, int]) -> None:
    """Of scopinion, which has six of them, beside each other and not over each other."""
    demo.page.set_viewport_size({"width": window[0], "height": window[1]})
    demo.show(scene_of("scopinion", 3), language=language)
    spans = demo.page.locator(".pile em").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).map((box) => [box.top, box.left, box.right])"
    )
    assert len(spans) == 6
    assert min(right - left for _, left, right in spans) > 20
    for (top, _, right), (beside, left, _) in pairwise(sorted(spans)):
        assert top != beside or right < left, spans
    demo.show(scene_of("skyjo", 3), language=language)  # how many cards there are lies on the pile, not on its name
    over = demo.page.locator("[data-over] figcaption").evaluate_all(
        "all => all.map((each) => each.children[1].getBoundingClientRect().bottom - each.getBoundingClientRect().top)"
    )
    assert len(over) == (2 if window[1] > 700 else 0)
    assert all(pixels <= 2 for pixels in over)


def test_a_hand_whose_order_counts_says_where_it_goes_on(demo: Demo) -> None:
    """On a phone neighbours lie in two lines: the last card of one and the first of the next have a sign."""
    demo.page.set_viewport_size({"width": 390, "height": 844})
    lines = "(box) => new Set([...box.querySelectorAll('li')].map((each) => each.offsetTop)).size"
    for scene in (scene_long(), scene_of("scopinion", 3)):
        demo.show(scene)
        hand = demo.page.locator(".mine .box.hand")
        goes_on = hand.locator("li[data-on]").count()
        assert goes_on == (hand.evaluate(lines) - 1 if scene["ruleset"] == "scout" else 0)
    demo.show(scene_long())
    assert demo.page.locator(".mine .hand li[data-on]").count() > 0


@pytest.mark.planted("A11")
def test_points_that_are_hidden_are_found(demo: Demo) -> None:
    """On small phones, while the stone can be played beside a row that counts two digits."""

    def ripe(scene: Scene) -> bool:
        return count(scene, "stone") > 0 and scene.you is not None and scene.tally["points"][scene.you] >= 10

    scene, window = scene_where("scandaroon", 3, ripe), (360, 640)
    assert demo.walk([scene], window, "de") == []
    with planted(demo.page, ".lane.own .plate { visibility: hidden }"):
        found = demo.walk([scene], window, "de")
    assert {line.partition(": ")[2].partition(" ")[0] for line in found} == {"A11"}


def growth(demo: Demo, name: str) -> list[str]:
    """Violations of A21: from 1280 to 1920 pixels own cards are at least a fifth wider, or as wide as they may be."""
    widths, most = [], 200
    for width, height in (WINDOWS[1], WINDOWS[0]):
        demo.page.set_viewport_size({"width": width, "height": height})
        demo.show(scene_of(name, RULESETS[name].seats[0]))
        widths.append(demo.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.mine .card')).width)"))
    return [] if widths[1] >= min(widths[0] * 1.2, most) else [f"A21 {widths}"]


@pytest.mark.by_default(f"[{DRAWN[0]}]", f"[{DRAWN[-1]}]")
@pytest.mark.parametrize("name", DRAWN)
def test_cards_grow_with_the_window_and_nothing_moves_under_a_pointer(demo: Demo, name: str) -> None:
    assert growth(demo, name) == []
    assert unsteady(demo.page, 12) == []


@pytest.mark.planted("A10", "A21")
def test_cards_that_stay_small_and_things_that_move_are_found(demo: Demo) -> None:
    with planted(demo.page, ".mine .card { width: 60px }"):
        assert growth(demo, "skyjo") == ["A21 [60, 60]"]
    with planted(demo.page, ".board:has(.mine [data-thing]:hover) { padding-top: 30px }"):
        assert {each.partition(" ")[0] for each in unsteady(demo.page, 12)} == {"A10"}


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


@pytest.mark.checked
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
        with drawn(page):
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
    return dict(re.findall(r"^(\S[^{\n]*?) \{ (?:fill|--f): (#[0-9a-f]{6})", text, re.M))


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
UNDER_LAMP = [("ivory", 4.5), ("brass", 3), ("last", 3)]
"""What lies where the lamp is brightest."""


def lit(colour: str, scheme: int) -> str:
    """The colour under the middle of the lamp."""
    text = (ROOT / "web/style/base.css").read_text()
    lamps = re.findall(r"rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)", text.partition("--lamp: light-dark(")[2])
    *lamp, share = map(float, lamps[scheme])
    parts = zip((int(colour[i : i + 2], 16) for i in (1, 3, 5)), lamp, strict=True)
    return "#" + "".join(f"{round(under * (1 - share) + over * share):02x}" for under, over in parts)


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_and_shapes_have_contrast_on_paper_wood_and_cloth(scheme: int) -> None:
    colours = custom_properties(scheme)
    cloths = [name for name in colours if name.split(".")[0] in ("felt", "felt2")]
    assert len(cloths) == 12
    pairs = [*ON_PAPER, *((name, cloth, least) for cloth in cloths for name, least in ON_CLOTH)]
    weak = [
        (a, b, contrast(colours[a], colours[b])) for a, b, least in pairs if contrast(colours[a], colours[b]) < least
    ]
    for cloth in cloths:
        ground = lit(colours[cloth], scheme)
        weak += [
            (a, cloth, contrast(colours[a], ground)) for a, least in UNDER_LAMP if contrast(colours[a], ground) < least
        ]
    assert weak == []


def test_ink_has_contrast_on_every_tint_and_signs_on_every_dark_ground() -> None:
    found, colours = fills("cards.css"), custom_properties(0)
    grounds = re.compile(r"^(\.t\d|\.u\d+|\.y-\w+|\.ground)$")
    tints = [colour for name, colour in found.items() if grounds.match(name)]
    assert len(tints) == 5 + 10 + 5
    assert [tint for tint in tints if contrast(tint, colours["card-ink"]) < 7] == []
    dark = [colour for name, colour in found.items() if re.match(r"^(\.medal, \.bar|\.night|\.s-\w+)$", name)]
    assert len(dark) == 9
    assert [ground for ground in dark if contrast(ground, "#fff8e8") < 4.5] == []
    assert contrast(found[".stripe"], "#fff8e8") >= 3
    assert contrast(found[".glyph .f.red"], colours["card"]) >= 4.5
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
