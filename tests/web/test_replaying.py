"""The replay of a game in the browser."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.clients import Server
from tests.web.browsers import (
    FIRST,
    LEGAL,
    Json,
    Visitor,
    ask,
    somebody,
)  # fmt: skip
from tests.web.measures import WINDOWS

# --- the replay ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(server: Server) -> Json:
    """A game that is over."""
    token, dice = ask(server.url, "players", {"name": "Ann"})["token"], Random(7)
    terms = {"seats": 2, "hotseat": True, "options": {"target_points": 1}}
    game = ask(server.url, f"games/{FIRST}", terms, token)
    path = f"games/{FIRST}/{game['id']}"
    while game["legal_moves"]:
        game = ask(server.url, f"{path}/moves", dice.choice(game["legal_moves"]), token)["game"]
    return game


def backs(page: Page) -> int:
    return page.locator(".card.is-back[data-thing^='layouts/']").count()


def test_a_replay_shows_every_version_as_the_service_does(ann: Visitor, server: Server, finished: Json) -> None:
    page = ann.at(finished)
    slider = page.get_by_role("slider")
    path = f"games/{finished['ruleset']}/{finished['id']}"
    dice = Random(3)
    for perspective in ("all", "1", "bystander"):
        page.get_by_label("Seen by").select_option(perspective)
        expect(page.get_by_label("Seen by")).to_have_value(perspective)
        for version in sorted(dice.sample(range(6, finished["version"]), 2)):
            slider.fill(str(version))
            expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^{version}\b"))
            view = ask(server.url, f"{path}?at={version}&as={perspective}")["view"]
            covered = sum(slot is not None and not slot["up"] for layout in view["layouts"] for slot in layout)
            assert backs(page) == covered, (perspective, version)


CLEAR = """() => {
  const line = document.querySelector(".result-line").getBoundingClientRect(), { min, max } = Math;
  const meets = ({ left, right, top, bottom }) =>
    min(right, line.right) - max(left, line.left) > 1 && min(bottom, line.bottom) - max(top, line.top) > 1;
  const things = ".board :is(.card, .plate, figcaption), .rail :is(button, select, input), .bar :not(nav)";
  const seen = [...document.querySelectorAll(things)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && meets(each.getBoundingClientRect()));
  return seen.length === 0 && line.left >= 0 && line.right <= innerWidth;
}"""


MARKED = """() => {
  const marks = document.querySelector(".marks");
  marks.replaceChildren(...[0, 31, 62].map((at) => {
    const mark = document.createElement("li");
    mark.style.setProperty("--at", `${at}%`);
    mark.append(Object.assign(document.createElement("span"), { textContent: "A new trump is revealed" }));
    return mark;
  }));
}"""
APART = """() => {
  const shown = [...document.querySelectorAll(".marks span")].filter((each) => each.checkVisibility());
  const boxes = shown.map((each) => each.getBoundingClientRect());
  return boxes.every(({ left }, at) => at === 0 || boxes[at - 1].right < left);
}"""


@pytest.mark.checked
def test_nothing_lies_over_anything_else_at_the_end_of_a_replay(ann: Visitor, finished: Json) -> None:
    page = ann.at(finished)
    page.keyboard.press("End")
    expect(page.locator(".result-line")).to_have_text(re.compile(r"wins?$"))
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(CLEAR)  # cards are fitted after the window
    page.evaluate(MARKED)  # as near to each other as labels get
    for width in (1000, 1280, 1600, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(APART)


@pytest.mark.by_default()
def test_the_keys_of_a_replay(browser: Browser, server: Server, visitors: list[Visitor], finished: Json) -> None:
    page = somebody(browser, server, visitors).at(finished)
    slider = page.get_by_role("slider")

    def after(key: str, known: str) -> str:
        """The version that the key leads to, from another one."""
        page.keyboard.press(key)
        expect(slider).not_to_have_value(known)
        return slider.input_value()

    last = slider.input_value()
    assert last == str(finished["version"])
    first = after("Home", last)
    second = after("ArrowRight", first)
    assert int(second) > int(first)
    assert after("ArrowLeft", second) == first
    assert after("End", first) == last
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).not_to_have_value(first)  # and not at the end: every move is shown
    page.get_by_role("button", name="Speed").click()
    expect(slider).not_to_have_value(slider.input_value())  # it goes on
    page.get_by_role("button", name="Pause").click()
    assert int(slider.input_value()) < int(last)


SLID = """(version) => {
  const slider = document.querySelector("input[type=range]");
  slider.value = version;
  slider.dispatchEvent(new Event("input"));
  return slider.getAttribute("aria-valuetext");
}"""


@pytest.mark.by_default()
def test_the_slider_acts_at_once_and_the_log_follows(
    browser: Browser, server: Server, visitors: list[Visitor], finished: Json
) -> None:
    page = somebody(browser, server, visitors).at(finished)
    page.get_by_role("slider").press("Home")
    first = page.locator(".log .now").inner_text()
    for version in (20, 9):
        assert page.evaluate(SLID, version).startswith(f"{version} ")
        assert page.locator(".log .now").count() == 1
    expect(page.locator(".log .now")).not_to_have_text(first)


@pytest.mark.by_default()
def test_a_branch_goes_on_from_a_version(
    browser: Browser, server: Server, visitors: list[Visitor], finished: Json
) -> None:
    visitor = somebody(browser, server, visitors, "Ben")
    page = visitor.visit(f"table?g={finished['ruleset']}/{finished['id']}#v=12")
    page.get_by_role("button", name="Branch").click()
    page.wait_for_url(re.compile(rf"table\?g=(?!.*{finished['id']})"))
    page.wait_for_selector(LEGAL)
    branch = ask(server.url, f"games/{page.url.partition('g=')[2]}", token=visitor.token)
    assert branch["parent"]["id"] == finished["id"]


@pytest.mark.by_default()
def test_a_moment_is_shared(browser: Browser, server: Server, visitors: list[Visitor], finished: Json) -> None:
    """As a picture, and by a link to the version and the perspective; the score sheet is printed without the table."""
    page = somebody(browser, server, visitors).visit(f"table?g={finished['ruleset']}/{finished['id']}#v=12&as=1")
    page.get_by_role("slider").wait_for()
    expect(page.get_by_label("Seen by")).to_have_value("1")
    covered = backs(page)
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_label("Link to this moment").input_value()
    assert link.endswith(f"{finished['id']}#v=12&as=1")
    colours = dialog.locator("img").evaluate(COLOURS)
    assert (colours["width"], colours["height"]) == (1200, 630)
    assert colours["count"] > 100
    assert str(dialog.get_by_role("link", name="Download").get_attribute("download")).endswith("-12.png")
    page.evaluate("window.print = () => { window.printed = true; }")
    dialog.get_by_role("button", name="Print").click()
    page.wait_for_function("window.printed")
    page.emulate_media(media="print")
    assert page.locator(".scores").is_visible()
    assert not page.locator(".table").is_visible()
    other = somebody(browser, server, visitors)
    other.page.goto(link)
    expect(other.page.get_by_role("slider")).to_have_value("12")
    expect(other.page.get_by_label("Seen by")).to_have_value("1")
    assert backs(other.page) == covered


COLOURS = """(image) => {
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight), paper = canvas.getContext("2d");
  paper.drawImage(image, 0, 0);
  const { data } = paper.getImageData(0, 0, canvas.width, canvas.height);
  return { width: canvas.width, height: canvas.height, count: new Set(new Uint32Array(data.buffer)).size };
}"""
