"""The pages in Chromium, against a real service."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Route, expect

from domain.fairness.chance import seal
from domain.rulesets import RULESETS
from tests.support.clients import Server, early
from tests.web.browsers import (
    BUTTONS,
    CLICK,
    FIRST,
    LEGAL,
    Json,
    Visitor,
    ask,
    moves_of,
    now,
    opened,
    play,
    play_by_keys,
    played_out,
    somebody,
)  # fmt: skip
from tests.web.measures import WINDOWS, planted

# --- the lobby ----------------------------------------------------------------------------------------------------


def test_a_first_game_from_nothing(browser: Browser, tmp_path: Path, visitors: list[Visitor]) -> None:
    """The service is started, one click, a name, and it is one's turn against two house players."""
    server = Server(tmp_path / "games.db", rate_limit="off")
    visitor = somebody(browser, server, visitors)
    page = visitor.visit()
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Name").fill("<b>Ann & Co</b>")
    page.get_by_role("button", name="OK", exact=True).click()
    page.wait_for_selector(LEGAL)
    expect(page).to_have_title(re.compile("Your turn"))
    expect(page.get_by_text("<b>Ann & Co</b>").first).to_be_visible()
    expect(page.locator(".others .name")).to_have_text(["Emil", "Lotte"])
    expect(page.get_by_role("img", name="house player, careful")).to_have_count(2)
    expect(page.locator(".others .who.bot svg")).to_have_count(2)
    path = f"games/{page.url.partition('g=')[2]}"
    visitor.token = page.evaluate("JSON.parse(localStorage['stammtisch.identity']).token")
    game = ask(server.url, path, token=visitor.token)
    assert len(game["seats"][0]["entropy"]) == 32
    joined = ask(server.url, f"{path}/events?limit=2", token=visitor.token)["items"][1]
    assert joined["event"]["type"] == "joined"  # the seat was taken after the shuffle was committed to
    page.get_by_role("button", name="Table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Saves points card by card")
    page.get_by_role("button", name="OK", exact=True).click()
    before = moves_of(visitor, game)
    for _ in range(4):
        page.locator(LEGAL).first.click()
        expect(page.locator(".rail.busy")).to_have_count(0)
        page.wait_for_selector(LEGAL)
    assert moves_of(visitor, game) > before
    visitor.assert_content()
    server.stop()


def test_the_lobby_shows_no_hand_and_the_tables_that_wait_first(ann: Visitor) -> None:
    ann.page.set_viewport_size(SIZES["phone"])
    game = opened(ann, seats=["me", "careful/1"])
    opened(ann)  # newer, and not first all the same
    hotseat = opened(ann, [*RULESETS][2], hotseat=True)
    page = ann.visit()
    page.wait_for_selector(".tile .position")
    expect(page.locator(".two .panel")).to_have_count(2)
    page.wait_for_load_state("networkidle")
    asked = {url.rpartition("/")[2] for url in ann.asked if f"/{hotseat['id']}" in url}
    assert asked == {f"{hotseat['id']}?as=bystander"}  # no hand is shown before its player says to be there
    links = page.locator(".tile").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert links[:2] == [f"table?g={each['ruleset']}/{each['id']}" for each in (hotseat, game)]


@pytest.mark.by_default()  # `tests/extensions/embedding` plays a game to its end, `test_lessons` by keys
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("way", ["clicks", "keys"])
def test_a_whole_game_against_house_players(
    browser: Browser, server: Server, visitors: list[Visitor], ruleset: str, way: str
) -> None:
    """In German, by clicks alone and by the keyboard alone, and once more at the end."""
    visitor = somebody(browser, server, visitors, "Ann", locale="de-DE")
    seats = ["me", *["careful/1"] * (RULESETS[ruleset].seats[0] - 1)]
    short = {"target_points": 10} if hasattr(RULESETS[ruleset].options(), "target_points") else {}
    game = opened(visitor, ruleset, seats=seats, options=short)
    page = visitor.at(game)
    assert (play if way == "clicks" else play_by_keys)(page, Random(ruleset)) > 10
    assert now(visitor, game)["result"] is not None
    assert page.locator("html").get_attribute("lang") == "de"
    again = page.locator(".rail").get_by_role("button", name="Noch einmal", exact=True)
    if way == "clicks":
        again.click()
    else:
        again.press("Enter")
    page.wait_for_url(lambda url: game["id"] not in url)
    page.wait_for_selector(f"{LEGAL}, {BUTTONS}")


@pytest.mark.checked
@pytest.mark.turns("rulesets")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_game_is_begun_by_keys(browser: Browser, server: Server, visitors: list[Visitor], ruleset: str) -> None:
    """Alone; whole games are played by keys with `--everything`."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, ruleset, seats=["me", *["careful/1"] * (RULESETS[ruleset].seats[0] - 1)])
    page, before, dice = visitor.at(game), moves_of(visitor, game), Random(ruleset)
    for _ in range(100):
        play_by_keys(page, dice, most=2, ends=False)
        if moves_of(visitor, game) > before:
            break
    assert moves_of(visitor, game) > before


@pytest.mark.by_default()
def test_who_leaves_can_come_back(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, seats=["me", "careful/1"])
    page = visitor.at(game)
    page.wait_for_selector(LEGAL)
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="Leave the game").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.locator(LEGAL)).to_have_count(0)
    if now(visitor, game)["status"] == "running":
        page.get_by_role("button", name="Come back").click()
        page.wait_for_selector(LEGAL)
        expect(page.locator(".log")).to_contain_text("comes back")


@pytest.mark.by_default()
def test_a_bad_name_is_explained(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    page = somebody(browser, server, visitors).visit()
    visitors[-1].provokes("400")
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Name").fill("\N{ZERO WIDTH SPACE}")
    page.get_by_role("button", name="OK", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()


@pytest.mark.checked
@pytest.mark.by_default(f"[{[*RULESETS][-1]}]")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_form_has_every_option(browser: Browser, server: Server, visitors: list[Visitor], ruleset: str) -> None:
    """With whom first; variants and fairness are folded and say what holds; the button says what happens."""
    visitor = somebody(browser, server, visitors, "Ann")
    page, rules = visitor.visit(), RULESETS[ruleset]
    page.get_by_role("button", name="Open a table").first.click()
    form = page.get_by_role("dialog")
    for other in RULESETS.values():  # nothing of another game stays
        form.get_by_role("radio", name=other.labels["en"].title, exact=True).check(force=True)
        if "target_points" in other.options.__struct_fields__:
            form.locator("summary").first.click()
            form.locator("[name=target_points]").fill("55")
            expect(form.locator("summary").first).to_contain_text("55")
            form.locator("summary").first.click()
    form.get_by_role("radio", name=rules.labels["en"].title, exact=True).check(force=True)
    expect(form.locator("[name=seats]")).to_have_count(len(rules.seats))
    names = form.locator("[name]").evaluate_all("all => [...new Set(all.map((each) => each.name))]")
    assert names[:4] == ["company", "game", "seats", "clock"]
    assert {*names[4:]} == {"deck", *rules.options.__struct_fields__}
    assert form.locator("details[open]").count() == 0
    expect(form.locator("summary").first).to_contain_text("the usual rules")
    for company, says in (
        ("Anybody", "for anybody"),
        ("One device", "on this device"),
        ("The house", "Deal the cards"),
    ):
        form.get_by_role("radio", name=company).check(force=True)
        expect(form.locator("footer .main")).to_contain_text(says)
    form.get_by_role("radio", name="Friends").check(force=True)
    form.get_by_role("button", name="Open and copy link").click()
    page.wait_for_url(re.compile(r"table\?g="))
    game = ask(server.url, f"games/{page.url.partition('g=')[2]}", token=visitor.token)
    assert (game["private"], game["status"], game["options"]) == (
        True, "waiting", ask(server.url, f"rulesets/{ruleset}")["default_options"],
    )  # fmt: skip
    assert (game["sealed"], len(game["seats"][0]["seal"]), game["seats"][0]["entropy"]) == (True, 64, "")


def test_a_game_that_is_chosen_while_another_one_loads_stays_chosen(ann: Visitor) -> None:
    page = ann.visit()
    *_, slow, last = RULESETS.values()
    held = list[Route]()
    page.route(f"**/v1/rulesets/{slow.name}", lambda route: held.append(route))
    page.get_by_role("button", name="Open a table").first.click()
    form = page.get_by_role("dialog")
    radios = {rules: form.get_by_role("radio", name=rules.labels["en"].title, exact=True) for rules in (slow, last)}
    radios[slow].check(force=True)
    radios[last].check(force=True)
    expect(form.locator("[name=seats]")).to_have_count(len(last.seats))
    with page.expect_response(lambda response: response.url.endswith(slow.name)):
        held[0].continue_()
    form.get_by_role("radio", name="One device").check(force=True)
    expect(radios[last]).to_be_checked()
    expect(form.locator("[name=seats]")).to_have_count(len(last.seats))


def test_two_play_and_a_third_looks_on(guests: Callable[[str], Visitor]) -> None:
    ann, ben, eve = guests("Ann"), guests("Ben"), guests("")
    game = seated(ann, ben)
    first, watching = ann.at(game), eve.at(game)
    first.wait_for_selector(LEGAL)
    watching.wait_for_selector(".rail")
    assert watching.locator(LEGAL).count() == 0
    before = now(ann, game)["version"]
    first.locator(LEGAL).first.click()
    for page in (first, watching):
        expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    assert now(ann, game)["version"] == before + 1


def test_the_rules_are_beside_the_table(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """For people, what the cards do in the user's language, and the numbered rules, which lead to one another."""
    ruleset = [*RULESETS][-1]
    rules = RULESETS[ruleset]
    deck = next(iter(rules.decks.values()))
    visitor = somebody(browser, server, visitors, "Ann", locale="de-DE")
    page = visitor.at(opened(visitor, ruleset, hotseat=True))
    page.keyboard.press("r")
    book = page.locator("dialog[open]")
    captions = rules.captions(deck)["de"]
    boxes = json.loads((Path("domain/rulesets") / ruleset / "rules.json").read_text())["boxes"]
    expect(book.locator(".boxes h3")).to_have_text([f"{at}{box['title']['de']}" for at, box in enumerate(boxes, 1)])
    assert book.locator(".boxes svg.face").count() == sum(
        card != "" for box in boxes for part in box["picture"] for card in part.get("cards", [])
    )
    book.locator(".boxes a").last.click()
    expect(book.locator(f"[id={boxes[-1]['rules'][-1]}]")).to_be_focused()
    book.locator("summary").first.click()
    expect(book.locator(".deck")).to_be_visible()
    shown = book.locator(".deck li").all_inner_texts()
    assert sorted(shown) == sorted({*captions.values()})
    assert book.locator(".deck svg.face").count() == len(shown)
    book.get_by_role("searchbox").fill("SD-53")
    expect(book.locator("details:not([hidden]) p:not([hidden])[id=sd-53]")).to_be_visible()
    assert book.locator(".deck").is_hidden()
    to = str(book.locator("details a").first.get_attribute("href"))[1:]
    book.get_by_role("searchbox").fill("")
    page.evaluate("(to) => document.querySelector(`.rulebook a[href='#${to}']`).click()", to)
    expect(book.locator(f"[id={to}]")).to_be_focused()
    assert "#" not in page.url
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Regeln").click()
    expect(book).to_be_visible()


CLOSES = "setTimeout(() => document.querySelector('.rail .btn.main').click(), 5000)"
"""The fault: the page goes on without a person."""


@pytest.mark.checked
@pytest.mark.planted("A20")
@pytest.mark.by_default("[clock]")
@pytest.mark.parametrize("clock", [None, {"bank": 6000}], ids=["house", "clock"])
def test_the_end_of_a_round_stays_until_it_is_closed(
    browser: Browser, server: Server, visitors: list[Visitor], clock: Json | None
) -> None:
    """By a person, or where time runs after 20 seconds. Nothing can be clicked before."""
    visitor = somebody(browser, server, visitors, "Ann", viewport=SIZES["desktop" if clock else "phone"])
    game = opened(visitor, seats=["me", "careful/1"], **({"clock": clock} if clock else {}))
    visitor.page.clock.install()
    page, dice = visitor.at(game), Random(3)
    click = CLICK.replace(".result-line", ".room.moment")
    while page.evaluate(click, dice.random()) != "over":
        pass
    expect(page.locator(".sheet li")).to_have_count(2)
    points = [int(each.replace("\N{MINUS SIGN}", "-")) for each in page.locator(".sheet .plus").all_inner_texts()]
    view = now(visitor, game)["view"]
    assert points == sorted(view["rounds"][0])
    sums = page.locator(".sheet .sum").all_inner_texts()
    assert [int(each.replace("\N{MINUS SIGN}", "-")) for each in sums] == points
    expect(page.locator("#assertive")).to_contain_text("Round 1 is over")
    assert page.locator(LEGAL).count() == 0
    with planted(page, Path("web/style/toast.css").read_text()):  # somebody asks to play once more
        page.evaluate("document.body.append(Object.assign(document.createElement('aside'), { id: 'toast' }))")
        expect(page.locator("#toast")).to_be_hidden()
        page.get_by_role("button", name="Look at the table").click()
        page.wait_for_selector("body:not(:has(.sheet)) #toast")
    page.get_by_role("button", name="Show the points").click()
    expect(page.locator(".sheet")).to_be_visible()
    page.clock.fast_forward(18_000)
    assert page.locator(".sheet").is_visible()
    if clock:
        expect(page.locator(".rail")).to_contain_text("by itself")
        for _ in range(20):
            page.clock.fast_forward(1_000)
    else:
        page.clock.fast_forward(60_000)
        assert page.locator(".sheet").is_visible()
        page.evaluate(CLOSES)
        page.clock.fast_forward(18_000)
    expect(page.locator(".room.moment")).to_have_count(0)
    assert not page.locator(".sheet").is_visible()
    page.wait_for_selector(LEGAL)


COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return [each.textContent, range.getBoundingClientRect()];
  });
  const cards = boxes(".throw .card").map(([, { left, right, top, bottom }]) => {
    const x = (right - left) / 8, y = (bottom - top) / 8; // corners of a box around a card that is turned are empty
    return { left: left + x, right: right - x, top: top + y, bottom: bottom - y };
  });
  return boxes(".lead > :is(h1, p), .lead .btn").filter(([, box]) => box.right > innerWidth || cards.some((card) =>
    card.left < box.right && card.right > box.left && card.top < box.bottom && card.bottom > box.top
  )).map(([text]) => text);
}"""


@pytest.mark.checked
@pytest.mark.by_default("[de]")  # whose words are longer
@pytest.mark.parametrize("tongue", ["en", "de"])
def test_no_card_lies_over_the_greeting(browser: Browser, server: Server, visitors: list[Visitor], tongue: str) -> None:
    visitor = somebody(browser, server, visitors, "Anna-Katharina", locale=tongue)
    page = visitor.visit()
    expect(page.locator(".hero .btn")).to_have_count(2)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], (width, height)


UNDER = """() => {
  const at = document.activeElement, footer = document.querySelector(".opening footer");
  const box = (at.closest("label") ?? at).getBoundingClientRect();
  return !footer.contains(at) && at.closest("form") && box.bottom > footer.getBoundingClientRect().top + 1;
}"""


@pytest.mark.checked
def test_the_footer_of_a_form_covers_no_focus_and_the_lobby_stays_as_it_is(ann: Visitor) -> None:
    """WCAG 2.4.11; the style of dialogs changes nothing but dialogs."""
    ann.page.set_viewport_size({"width": 640, "height": 400})
    page = ann.visit()
    page.locator(".game .facts").first.wait_for()
    heights = "() => [...document.querySelectorAll('.facts')].map((each) => each.offsetHeight)"
    before = page.evaluate(heights)
    page.locator(".hero .btn.quiet").click()
    page.locator(".opening footer").wait_for()
    covered = []
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(UNDER):
            covered.append(page.evaluate("document.activeElement.outerHTML.slice(0, 80)"))
    assert covered == []
    assert page.evaluate(heights) == before


@pytest.mark.by_default("[844x390]")
@pytest.mark.parametrize("window", WINDOWS[1:4], ids=lambda window: "x".join(map(str, window)))
def test_what_confirms_a_move_does_not_lie_under_the_pointer(ann: Visitor, window: tuple[int, int]) -> None:
    """A second click at the same place is no yes, wherever the button of the move was pressed."""
    width, height = window
    ann.page.set_viewport_size({"width": width, "height": height})
    page = ann.at(opened(ann, "scandaroon", seats=["me", "careful/1", "careful/1"]))
    passes, yes = page.locator(".rail .btn:not(.main)", has_text="Pass"), page.locator(".rail .yes")
    page.wait_for_selector(LEGAL)
    for share in (0.1, 0.5, 0.9):
        box = passes.bounding_box()
        assert box
        x, y = box["x"] + box["width"] * share, box["y"] + box["height"] / 2
        page.mouse.click(x, y)
        expect(yes).to_be_visible()
        assert not page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.yes')", [x, y])
        right = yes.bounding_box()
        assert right
        assert 0 <= right["x"] <= width - right["width"]
        page.keyboard.press("Escape")
        expect(yes).to_have_count(0)


@pytest.mark.by_default()
def test_moves_are_asked_for_or_made_as_it_was_chosen(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """Each is asked for again, and the only legal one is made by itself: here the service names just one."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, seats=["me", "careful/1"])
    page = visitor.visit()
    page.evaluate("localStorage.setItem('stammtisch.confirm', '\"always\"')")
    visitor.at(game).locator(LEGAL).first.click()
    expect(page.locator(".rail .btn.main")).to_be_visible()
    assert now(visitor, game)["version"] == game["version"] or not moves_of(visitor, game)
    page.locator(".rail .btn.main").click()
    lines = page.locator(".log li").filter(has_text="Ann turns up")
    expect(lines).to_have_count(1)
    page.evaluate("localStorage.setItem('stammtisch.confirm', '\"never\"')")
    page.evaluate("localStorage.setItem('stammtisch.auto', 'true')")
    before = moves_of(visitor, game)

    def single(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        route.fulfill(response=answer, json=body | {"legal_moves": body["legal_moves"][:1]})

    page.route(re.compile(rf"games/{FIRST}/{game['id']}(\?as=\w+)?$"), single)
    page.reload()
    expect(lines).to_have_count(2)
    assert moves_of(visitor, game) > before


@pytest.mark.by_default()
def test_a_card_that_cannot_be_clicked_tells_what_it_does(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """By a tap; a long press enlarges it, and lifting the finger is no click. A mouse shows it beside the card."""
    visitor = somebody(browser, server, visitors, "Ann", has_touch=True, viewport=SIZES["phone"])
    game = opened(visitor, [*RULESETS][3], hotseat=True)
    page = visitor.at(game)
    page.locator(".curtain button").click()
    page.wait_for_selector(LEGAL)
    assert len({*visitor.asked}) <= 50  # with the two of another seat's look; a table without a curtain: 48
    page.locator("main [role=img][data-thing=targets]").first.tap()
    expect(page.locator(".rail")).to_contain_text("points in the vault")
    before, tip = now(visitor, game)["version"], page.locator(".tip")
    for card in ("[role=img][data-thing=targets]", ".mine button.card"):
        box = page.locator(f"main {card}").first.bounding_box()
        assert box
        press = visitor.context.new_cdp_session(page)
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        press.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        expect(tip).to_have_class("tip large")
        expect(tip).to_be_visible()
        press.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(tip).to_be_hidden()
    assert page.locator(".card.chosen").count() == 0
    assert now(visitor, game)["version"] == before
    page.set_viewport_size(SIZES["desktop"])
    card = page.locator("main [role=img][data-thing=targets]").first
    card.hover()
    expect(tip).to_contain_text("points in the vault")
    assert page.evaluate(
        """() => {
          const at = (each) => document.querySelector(each).getBoundingClientRect();
          const [tip, card] = [at(".tip"), at("[data-thing=targets]")];
          return tip.bottom <= card.top || tip.top >= card.bottom || tip.left >= card.right || tip.right <= card.left;
        }"""
    )
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


# --- whole games by clicks ----------------------------------------------------------------------------------------

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.mark.by_default()  # a whole game against house players is played anyway
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_by_clicks(
    browser: Browser, server: Server, visitors: list[Visitor], ruleset: str, everything: bool
) -> None:
    """All seats on one device, in English on a desktop and in German on a phone. By default short games."""
    short = {"target_points": 1} if hasattr(RULESETS[ruleset].options(), "target_points") and not everything else {}
    for locale, size in (("en-US", "desktop"), ("de-DE", "phone")):
        visitor = somebody(browser, server, visitors, "Ann", locale=locale, viewport=SIZES[size])
        game = opened(visitor, ruleset, hotseat=True, options=short)
        assert play(visitor.at(game), Random(f"{ruleset} {locale}")) >= early(ruleset, 20)
        assert now(visitor, game)["result"] is not None
        visitor.assert_content()


NO_TABLES = "export const listed = () => [], tableOf = async () => null, rulesOf = () => null;"


def without_tables(route: Route) -> None:
    route.fulfill(content_type="text/javascript", body=NO_TABLES)


@pytest.mark.by_default()
@pytest.mark.parametrize("ruleset", [FIRST, [*RULESETS][-1]])
def test_any_ruleset_can_be_played_without_a_table_of_its_own(
    browser: Browser, server: Server, visitors: list[Visitor], ruleset: str
) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.context.route("**/tables/index.js", without_tables)
    game = opened(visitor, ruleset, hotseat=True)
    page = visitor.at(game)
    before = now(visitor, game)["version"]
    dice = Random(ruleset)
    for _ in range(25):
        if page.locator(".curtain button").count():
            page.locator(".curtain button").click()
        choices = page.locator(f"{LEGAL}, .rail .btn:not(.quiet):visible")
        if now(visitor, game)["status"] == "finished":
            break
        choices.first.wait_for()
        choices.nth(dice.randrange(choices.count())).click()
        expect(page.locator(".rail.busy")).to_have_count(0)
    assert now(visitor, game)["version"] > before + 5


def seated(ann: Visitor, ben: Visitor, **terms: object) -> Json:
    """A game of the first ruleset in which both may begin."""
    game = opened(ann, **terms)
    ask(ben.url, f"games/{game['ruleset']}/{game['id']}/seats", {"seat": 1}, ben.token)
    return game


# --- for everybody ------------------------------------------------------------------------------------------------


def test_a_game_by_keyboard(ann: Visitor) -> None:
    """Tab leads to the table, arrows from card to card, Enter clicks."""
    game = opened(ann, hotseat=True)
    page = ann.at(game)
    page.wait_for_selector(LEGAL)
    before = now(ann, game)["version"]
    page.locator(LEGAL).first.focus()
    seen = {page.evaluate("document.activeElement.dataset.thing")}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.dataset.thing"))
    assert len(seen) == 4
    page.keyboard.press("Enter")
    expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    page.keyboard.press("m")
    page.get_by_role("dialog").locator(".moves button").first.click()
    expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(2)
    assert now(ann, game)["version"] > before + 1


@pytest.mark.checked
def test_a_move_is_taken_back_and_the_game_is_called_off(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """A game of people: the button gives no reason that could betray a card."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann, "scout", undo="agreed")
    path = f"games/scout/{game['id']}"
    ask(server.url, f"{path}/seats", {"seat": 1}, ben.token)
    page = ann.at(game)
    button = page.locator("button.undo")
    expect(button).to_have_text("Ask to take back")
    before = now(ann, game)
    ask(server.url, f"{path}/moves", {"type": "keep"}, ann.token)
    expect(button).to_have_text("Take back")
    button.click()
    expect(page.locator(".log")).to_contain_text("takes back a move")
    assert now(ann, game)["legal_moves"] == before["legal_moves"]
    for who in (ann, ben):
        ask(server.url, f"{path}/moves", {"type": "keep"}, who.token)
    expect(button).to_have_text("Ask to take back")
    button.click()
    expect(page.locator(".question")).to_contain_text("would like to take back a move")
    other = ben.at(game)
    other.get_by_role("button", name="Decline").click()
    expect(page.locator(".question")).to_have_count(0)
    button.click()
    page.get_by_role("button", name="Withdraw").click()
    expect(other.locator(".question")).to_have_count(0)
    button.click()
    other.get_by_role("button", name="Agree").click()
    expect(page.locator(".log").get_by_text("takes back a move")).to_have_count(2)
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="call off").click()
    page.get_by_role("button", name="Ask them").click()
    other.get_by_role("button", name="Agree").click()
    expect(page.locator(".log")).to_contain_text("called off")
    assert now(ann, game)["cause"] == "agreed"
    for width, height in ((390, 844), (844, 390)):  # no paper covers a part of the light around the words
        page.set_viewport_size({"width": width, "height": height})
        light, board = (page.locator(each).bounding_box() for each in (".finale", ".board"))
        assert light and board
        assert light["x"] + light["width"] >= board["x"] + board["width"]
        assert light["y"] + light["height"] >= board["y"] + board["height"]


@pytest.mark.by_default()  # test_moments and test_ways repeat games
@pytest.mark.parametrize("sealed", [False, True])
def test_a_game_is_repeated(browser: Browser, server: Server, visitors: list[Visitor], sealed: bool) -> None:
    """Both players ask for it at the finished table, and meet at one new table."""
    players = [somebody(browser, server, visitors, name) for name in ("Ann", "Ben")]
    game = opened(players[0], options={"target_points": 1}, sealed=sealed)
    path = f"games/{FIRST}/{game['id']}"
    for seat in range(2) if sealed else ():
        ask(server.url, f"{path}/seats", {"seat": seat, "seal": seal(game["id"], seat, "")}, players[seat].token)
    for seat, player in enumerate(players):
        if sealed or seat:
            ask(server.url, f"{path}/{'ready' if sealed else 'seats'}", {"entropy": ""}, player.token)
    played_out(game, *players)
    pages = [player.at(game) for player in players]
    for page in pages:
        page.get_by_role("button", name="Once more").click()
        page.wait_for_url(lambda url: game["id"] not in url)
    for page in pages:
        page.wait_for_selector("[data-ready] .rail")
    assert pages[0].url == pages[1].url
    again = ask(server.url, f"{path}/rematch", token=players[0].token)
    assert again["id"] in pages[0].url
    assert (again["status"], again["rematch_of"], again["you"]) == ("running", game["id"], 1)
    assert [seat["player"]["name"] for seat in again["seats"]] == ["Ben", "Ann"]


MOTION = """() => {
  window.moving = new Set(), window.lengths = new Set(), window.told = new Set();
  const look = () => {
    for (const each of document.getAnimations()) {
      const { duration } = each.effect.getComputedTiming();
      if (duration > 1) moving.add(`${each.transitionProperty ?? each.animationName ?? "flight"} ${duration}`);
    }
    told.add(document.querySelector(".rail")?.textContent);
    lengths.add(document.querySelectorAll(".log li").length);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes what is animated, for how many milliseconds, what the rail has said, and how long the log has been."""


@pytest.mark.by_default()  # it waits for the pace
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_with_reduced_motion_nothing_flies_but_the_pace_stays(
    browser: Browser, server: Server, visitors: list[Visitor], motion: str
) -> None:
    """Each deed of the house is shown, one after the other; what is new appears within 100 ms. With motion the same
    look at the page finds cards that fly."""
    visitor = somebody(browser, server, visitors, "Ann", reduced_motion=motion)
    page = visitor.at(opened(visitor, seats=["me", "careful/1", "careful/1"]))
    page.wait_for_selector(LEGAL)
    page.evaluate(MOTION)
    dice = Random(7)
    for _ in range(6):
        page.evaluate(CLICK, dice.random())
        expect(page.locator(".rail.busy")).to_have_count(0)
        page.wait_for_selector(LEGAL, timeout=60_000)
    moving, steps, told = page.evaluate("[[...moving], lengths.size, [...told].join(' ')]")
    assert "Emil " in told and "Lotte " in told, "the rail names the seat that is shown"
    assert "Ann is thinking" not in told
    found = [(what, float(duration)) for what, duration in (each.rsplit(" ", 1) for each in moving)]
    if motion == "reduce":
        assert all(what == "opacity" and duration <= 100 for what, duration in found), found
        assert steps > 1 + 6, "more than one step after a click"
    else:
        assert any(what == "flight" and duration > 100 for what, duration in found), found
