"""The laws of the table that need a service: focus, ears, marks, accessibility and legibility of all pages, weight.

Every law A1 to A26 has a check, and a test marked `planted` that shows that the check finds a fault. The laws of what
is drawn are in `test_drawn.py`, those of the descriptions of tables in `laws.test.js`.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from domain.rulesets import RULESETS
from tests.bench.pages import GAPS
from tests.support.clients import Server
from tests.web import limits
from tests.web.browsers import (
    CLICK,
    FIRST,
    LEGAL,
    READY,
    Json,
    Visitor,
    ask,
    now,
    opened,
    play_by_keys,
    somebody,
)
from tests.web.measures import broken, covered, inaccessible, moved, planted, unreadable, unsteady

LAWS = [f"A{number}" for number in range(1, 27)]
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
TESTS = Path(__file__).parents[1]


def laws_of(node: ast.AST) -> set[str]:
    """The laws that a test is marked to plant faults for."""
    return {
        argument.value
        for decorator in getattr(node, "decorator_list", [])
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.planted"
        for argument in decorator.args
        if isinstance(argument, ast.Constant)
    }


def test_every_law_of_the_table_has_a_planted_fault() -> None:
    files = [*TESTS.glob("web/test_*.py"), TESTS / "domain/test_lessons.py", TESTS / "bench/test_bench.py"]
    found = {law for file in files for node in ast.walk(ast.parse(file.read_text())) for law in laws_of(node)}
    assert sorted(found, key=lambda law: int(law[1:])) == LAWS


# --- A17, A18, A25: every page with its dialogs -----------------------------------------------------------------------


def finished(visitor: Visitor) -> Json:
    """A game that is over, with one other seat."""
    game, dice = opened(visitor, seats=["me", "random/1"], options={"target_points": 1}), Random(7)
    path = f"games/{FIRST}/{game['id']}"
    while legal := now(visitor, game)["legal_moves"]:
        ask(visitor.url, f"{path}/moves", dice.choice(legal), visitor.token)
    return now(visitor, game)


def leave(page: Page) -> None:
    """Close a dialog. It may not have the focus yet, and the key is lost."""
    while page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
        page.wait_for_timeout(20)


Shown = Iterator[tuple[str, Page]]
"""Pages, each when it shows what its name says."""


def before_a_game(ann: Visitor, newcomer: Visitor) -> Shown:
    page = newcomer.visit()
    page.wait_for_selector(".games li")
    yield "the lobby of a newcomer", page
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector("dialog[open]")
    yield "the name of a newcomer", page
    opened(ann, seats=["me", "careful/1"])
    waits = opened(ann, seats=4, private=True)
    page = ann.visit()
    page.wait_for_selector(".tile .position")
    yield "the lobby", page
    page.get_by_role("button", name="Open a table").first.click()
    page.locator(".opening summary").first.click()
    yield "opening a table", page
    leave(page)
    page.locator("button.user").click()
    page.get_by_text("Your seats on other devices").click()
    yield "the settings", page
    yield "a table that waits", ann.at(waits)
    link = page.get_by_label("Only people with this link").input_value()
    newcomer.page.goto(link)
    newcomer.page.wait_for_selector(".waitroom")
    yield "an invitation", newcomer.page


def without_a_game(ann: Visitor, _: Visitor) -> Shown:
    ann.provokes("404")
    for path, shown in (
        (f"rules?ruleset={FIRST}", ".boxes li"),
        (f"standings?ruleset={FIRST}", "main table, main .panel"),
        ("player", "main h1"),
        ("record", ".drop"),
        ("table?g=skyjo/nothing", ".alone"),
    ):
        page = ann.visit(path)
        page.wait_for_selector(shown)
        yield path.partition("?")[0], page


def at_a_table(ann: Visitor, _: Visitor) -> Shown:
    page = ann.at(opened(ann, [*RULESETS][3], hotseat=True))
    page.wait_for_selector(".curtain button")
    yield "a curtain", page
    page.locator(".curtain button").click()
    page.wait_for_selector(LEGAL)
    yield "a table", page
    for name, shown in (("m", ".moves"), ("r", ".rulebook"), ("?", ".facts")):
        page.keyboard.press(name)
        page.wait_for_selector(f"dialog {shown}")
        yield f"the dialog {shown}", page
        leave(page)
    page.get_by_role("button", name="Table").click()
    page.wait_for_selector("dialog[open]")
    yield "about a game", page
    page = ann.at(opened(ann, [*RULESETS][-1], seats=["me", "careful/1", "careful/1"]))
    page.wait_for_selector(LEGAL)
    page.locator(LEGAL).first.click()
    yield "a move that is composed", page
    game, ben = opened(ann), ask(ann.url, "players", {"name": "Ben"})
    ask(ann.url, f"games/{FIRST}/{game['id']}/seats", {"seat": 1}, ben["token"])
    page = ann.at(game)
    page.get_by_role("button", name="Say something").click()
    page.wait_for_selector("dialog[open]")
    yield "phrases", page
    page = ann.visit(f"rules?ruleset={FIRST}")
    page.get_by_role("button", name="Learn by playing").click()
    page.wait_for_selector(".teacher")
    yield "a lesson", page
    page.get_by_role("button", name="Leave the lesson").click()
    page.wait_for_selector(".games li")


def after_a_game(ann: Visitor, _: Visitor) -> Shown:
    over = finished(ann)
    page = ann.at(over)
    page.get_by_role("button", name="Result").click()
    page.wait_for_selector(".finale")
    page.wait_for_selector(".proof", state="attached")
    yield "the end of a game", page
    page.get_by_role("button", name="Replay").click()
    page.wait_for_selector("input[type=range]")
    page.get_by_role("button", name="Pause").click()  # a move between text and picture would look like a fault
    yield "a replay", page
    page.get_by_role("button", name="Share").click()
    page.wait_for_selector("dialog[open]")
    yield "a moment that is shared", page
    yield "an embedded table", ann.visit(f"embed?g={FIRST}/{over['id']}")


@pytest.mark.checked
@pytest.mark.by_default("before_a_game-phone")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pages", [before_a_game, at_a_table, after_a_game, without_a_game])
def test_all_pages_are_accessible_legible_and_do_not_jump(
    browser: Browser,
    server: Server,
    visitors: list[Visitor],
    pages: Callable[[Visitor, Visitor], Shown],
    size: str,
    everything: bool,
) -> None:
    """By default each page in light or in dark, in turns."""
    ann, newcomer = (
        somebody(browser, server, visitors, name, drawn=True, viewport=SIZES[size], bypass_csp=True)
        for name in ("Ann", "")
    )
    found, shown, documents = list[str](), list[str](), set[float]()
    for number, (name, page) in enumerate(pages(ann, newcomer)):
        shown.append(name)
        for scheme in ("light", "dark") if everything else (("light", "dark")[number % 2],):
            page.emulate_media(color_scheme=scheme)
            found += [f"{name}, {scheme}: {each}" for each in inaccessible(page) + unreadable(page)]
        if (loaded := page.evaluate("performance.timeOrigin")) not in documents:  # what a click brings may move things
            documents.add(loaded)
            found += [f"{name}: {each}" for each in moved(page)]
    assert len(shown) > 3 and len(documents) > 1
    assert not found, "\n".join(found)


@pytest.mark.planted("A17", "A18", "A25")
def test_faults_of_a_page_are_found(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann = somebody(browser, server, visitors, "Ann", drawn=True, bypass_csp=True)
    page = ann.visit("record")
    page.wait_for_selector(".drop")
    assert inaccessible(page) + unreadable(page) + moved(page) == []
    page.evaluate("document.querySelector('main').prepend(new Image())")
    with planted(page, "main * { font-size: 11px !important } img { height: 400px }"):
        page.wait_for_function(f"async () => (await ({SHIFTED})()) > 0.05")
        found = {each.partition(" ")[0] for each in inaccessible(page) + unreadable(page) + moved(page)}
    assert found == {"A17", "A18", "A25"}


@pytest.mark.checked
@pytest.mark.by_default("de-DE")  # whose words are longer
@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_no_text_of_a_button_wraps_or_is_cut_on_phones(
    browser: Browser, server: Server, visitors: list[Visitor], locale: str
) -> None:
    ann, host = (
        somebody(browser, server, visitors, name, locale=locale, bypass_csp=True) for name in ("Ann", "Johanna")
    )
    waiting = [opened(host, name) for name in RULESETS]
    over, page, found = finished(ann), ann.page, list[str]()

    def look(name: str) -> None:
        for width in (390, 360):
            page.set_viewport_size({"width": width, "height": 844})
            found.extend(f"{name}, {width}: {each}" for each in broken(page))

    page.set_viewport_size({"width": 390, "height": 844})
    ann.visit()
    page.wait_for_selector(".games .quick")
    look("lobby")
    assert max(page.locator(".games .acts").evaluate_all("all => all.map((each) => each.offsetHeight)")) < 60  # a line
    page.locator(".hero .btn.quiet").click()
    for company in page.locator(".opening [name=company]").all():
        company.check(force=True)
        look("opening a table")
    leave(page)
    opened(ann, seats=["me", "careful/1"])
    ann.visit()
    page.wait_for_selector(".hero .big[href^=table]")
    look("lobby, to move")
    ann.at(waiting[0])
    look("waiting room")
    named = page.locator(".chair b").get_by_text(host.name)
    assert named.evaluate("(each) => each.offsetHeight") < 30, "the name has two lines"
    ann.at(over)
    page.locator(".rail .btn").nth(1).click()
    page.get_by_role("slider").fill("9")
    look("replay")
    page.locator(".scrub .btn.quiet").last.click()
    page.wait_for_selector(".shared")
    look("share")
    leave(page)
    page.locator(".bar .tool:has(.icon)").last.click()
    page.wait_for_selector("dialog[open]")
    look("about")
    with planted(page, ".btn { max-width: 3rem } .ends .btn { white-space: normal !important }"):
        assert broken(page)
    assert not found, "\n".join(found)


@pytest.mark.checked
def test_the_header_stays_where_it_is_from_page_to_page(ann: Visitor) -> None:
    places = dict[str, Json]()
    game = opened(ann, seats=["me", "careful/1"])
    for path in ("", f"rules?ruleset={FIRST}", "player", f"table?g={FIRST}/{game['id']}"):
        page = ann.visit(path)
        page.wait_for_selector(".bar .brand")
        places[path] = page.locator(".bar .brand").bounding_box()
    assert len({(place["x"], place["y"] + place["height"] / 2) for place in places.values()}) == 1, places


SHIFTED = """() => new Promise((done) => new PerformanceObserver((list) => done(
  list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: "layout-shift", buffered: true })
  ?? setTimeout(() => done(0), 300))"""


# --- A25: the first visit ---------------------------------------------------------------------------------------------


def received(request: Request) -> int:
    sizes = request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"]


NOTHING_LATE = """{
  const later = setTimeout;
  window.setTimeout = (call, pause, ...rest) => pause === 3000 ? 0 : later(call, pause, ...rest);
}"""
"""A table loads the end of a round and the rematch 3 s after it can be played: on a busy machine that is at once."""


def heavy(visitor: Visitor, path: str, shown: str, act: Callable[[Page], object] = lambda _: None) -> list[str]:
    """Who comes for the first time loads few bytes of files, headers included, with few requests. What the API answers
    is not counted: it depends on the games that there are."""
    loaded, page = list[Request](), visitor.page
    visitor.context.add_init_script(NOTHING_LATE)
    page.on("requestfinished", lambda request: None if "/v1/" in request.url else loaded.append(request))
    visitor.visit(path).wait_for_selector(shown)
    act(page)
    page.wait_for_load_state("networkidle")
    found = [] if len({*visitor.asked}) <= limits.REQUESTS else [f"A25 {len({*visitor.asked})} requests"]
    size = sum(map(received, loaded))
    return found + ([] if size <= limits.VISIT else [f"A25 {size} bytes"])


@pytest.mark.checked
@pytest.mark.planted("A25")
def test_a_first_visit_is_small(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Of a table at which somebody has a face, too."""
    host = somebody(browser, server, visitors, "Ann")
    ask(server.url, "players/me", {"face": "fox"}, host.token, "PATCH")
    game = opened(host, seats=["me", "careful/1", "careful/1"])
    path = f"table?g={FIRST}/{game['id']}"
    assert heavy(somebody(browser, server, visitors), "", ".games li") == []
    assert heavy(somebody(browser, server, visitors), path, "[data-ready] .rail") == []
    assert heavy(host, "", ".tile svg") == []

    def load(page: Page) -> None:
        page.evaluate(
            "Promise.all([...Array(30).keys()].map(async (at) => "
            "(await fetch(`${document.querySelector('script[type=module]').src}?${at}`)).text()))"
        )

    found = heavy(somebody(browser, server, visitors), "", ".games li", load)
    assert [each.rpartition(" ")[2] for each in found] == ["requests", "bytes"]


BLOCKS = """() => new Promise((done) => setTimeout(() => {
  for (const begun = performance.now(); performance.now() - begun < 120;);
  requestAnimationFrame(() => requestAnimationFrame(done));
}, 50))"""


@pytest.mark.planted("A25")
def test_a_frame_that_takes_long_is_measured(browser: Browser) -> None:
    """By the benchmark, which plays a hundred moves on an idle machine."""
    page = browser.new_page()
    page.evaluate(GAPS)
    page.evaluate(BLOCKS)
    assert max(page.evaluate("gaps")) > limits.FRAME
    page.close()


# --- A10, A12: what lies over the table -------------------------------------------------------------------------------


@pytest.mark.checked
@pytest.mark.planted("A10", "A12")
def test_captions_and_phrases_move_and_cover_nothing(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Captions appear after a rest, here by a clock that is moved on; a phrase is said at a phone."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann, [*RULESETS][3])
    ask(server.url, f"games/{game['ruleset']}/{game['id']}/seats", {"seat": 1}, ben.token)
    page = ann.page
    page.clock.install()
    ann.at(game)
    page.wait_for_selector(".board [data-thing]")

    def rest() -> None:
        page.clock.run_for(2000)

    assert unsteady(page, 10, rest) == []
    page.locator("main [data-thing=targets]").first.hover()
    rest()
    expect(page.locator(".tip")).to_be_visible()
    with planted(page, "body:has(.tip:not([hidden])) .rail { height: 9rem }"):
        assert {each.partition(" ")[0] for each in unsteady(page, 10, rest)} == {"A10"}
    acting = (ann, ben)[now(ann, game)["to_act"][0]]
    other = ben if acting is ann else ann
    told, table = ask(server.url, f"games/{game['ruleset']}/{game['id']}", token=acting.token), acting.page
    table.set_viewport_size(SIZES["phone"])
    if acting is ben:
        ben.at(game)
    if other is ben:
        ben.at(game)
    assert told["legal_moves"]
    table.wait_for_selector(LEGAL)
    other.page.get_by_role("button", name="Say something").click()
    other.page.get_by_role("dialog").get_by_role("button", name="Let me think").click()
    table.wait_for_selector(".bubble")
    assert covered(table) == []
    with planted(table, ".bubble { position: fixed; inset: 30% 0 auto; translate: none; height: 50vh }"):
        assert {each.partition(" ")[0] for each in covered(table)} == {"A12"}


# --- A13, A16: keys -------------------------------------------------------------------------------------------------

PARTS = ".mine, .extra, .left, .right, .centre, .others, .lane, .rail"
FOCUSED = f"""() => {{
  const at = document.activeElement, parts = [...document.querySelectorAll("{PARTS}")];
  return {{ body: at === document.body, part: parts.indexOf(at.closest("{PARTS}")), rail: at.closest(".rail") !== null,
    names: parts.map((each) => each.className) }};
}}"""


def lost(page: Page, dice: Random, moves: int) -> list[str]:
    """Violations of A13: after a move the focus is in the part where it was, or at the question."""
    found = []
    for number in range(moves):
        page.wait_for_selector(f".room:has(.rail:not(.busy)) {LEGAL.removeprefix('main ')}")
        page.locator(LEGAL).nth(dice.randrange(page.locator(LEGAL).count())).focus()
        before = page.evaluate(FOCUSED)
        page.keyboard.press("Enter")
        expect(page.locator(".rail.busy")).to_have_count(0)
        page.wait_for_selector(LEGAL)
        after = page.evaluate(FOCUSED)
        if after["body"] or not (after["rail"] or after["part"] == before["part"]):
            found.append(f"A13 move {number}: {before} -> {after}")
    return found


BLURS = """() => new MutationObserver(() => document.activeElement.blur()).observe(
  document.querySelector(".board"), { attributes: true, childList: true, subtree: true })"""
TRAPS = "addEventListener('keydown', (event) => event.key === 'Tab' && event.preventDefault(), true)"


@pytest.mark.checked
@pytest.mark.planted("A13", "A16")
def test_the_focus_stays_and_tab_is_free(ann: Visitor) -> None:
    """Whole games by keys are played in `test_browser.py`."""
    page = ann.at(opened(ann, seats=["me", "careful/1"]))
    assert lost(page, Random(2), 8) == []
    # a move of the list: the button that opened it is hidden while others play
    page.get_by_role("button", name="Moves").focus()
    page.keyboard.press("Enter")
    page.locator(".moves button").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_selector(f".room:has(.rail:not(.busy)) {LEGAL.removeprefix('main ')}")
    assert not page.evaluate(FOCUSED)["body"]
    page.evaluate(BLURS)
    assert lost(page, Random(2), 3)
    page.reload()
    page.evaluate(TRAPS)
    with pytest.raises(AssertionError, match="no key leads"):
        play_by_keys(page, Random(1), most=3)


ORDER = """() => {
  const parts = [".rail", ".mine, .extra, .left, .right, .lane.own", ".centre", ".others, .lane:not(.own)", ".side"];
  const at = document.activeElement, found = parts.findIndex((part) => at.closest(part));
  return at.closest("main") ? found : at.closest(".bar, .skip") ? -1 : null;
}"""


def stops(page: Page) -> list[int]:
    """The parts to which Tab leads, from the skip link on."""
    page.locator("#skip").focus()
    found = list[int]()
    for _ in range(60):
        page.keyboard.press("Tab")
        if (part := page.evaluate(ORDER)) is None:
            break
        found.append(part)
        if part == 4:
            break
    return found


@pytest.mark.checked
@pytest.mark.by_default(f"[{[*RULESETS][-1]}]")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_tab_leads_from_the_question_to_own_cards_the_centre_and_the_others(ann: Visitor, ruleset: str) -> None:
    """Bar, rail, own cards, centre, others, side."""
    dice = Random(5)
    page = ann.at(opened(ann, ruleset, seats=["me", *["careful/1"] * (RULESETS[ruleset].seats[0] - 1)]))
    seen = set[int]()
    for _ in range(6):
        page.evaluate(READY)
        found = stops(page)
        assert found == sorted(found), found
        seen |= {*found}
        page.evaluate(CLICK, dice.random())
    assert seen >= {-1, 1, 4}


# --- A14, A15, A19: ears and marks ------------------------------------------------------------------------------------

LISTEN = """() => {
  const region = (id) => document.getElementById(id), [polite, assertive] = [region("polite"), region("assertive")];
  Object.assign(window, { polite: [], assertive: [], asked: [], region: polite });
  for (const each of [polite, assertive]) {
    new MutationObserver((told) => told.forEach(() => window[each.id].push(each.textContent)))
      .observe(each, { childList: true });
  }
  let before = document.querySelector(".ask strong").textContent;
  new MutationObserver(() => {
    const open = document.querySelector("main button[data-thing], .rail .btn") && !document.querySelector(".rail.busy");
    const now = open ? document.querySelector(".ask strong").textContent : "";
    if (now && now !== before) window.asked.push(now);
    before = now;
  }).observe(document.querySelector(".table"), { childList: true, subtree: true, characterData: true });
}"""


def misheard(page: Page, lines: int, seed: int) -> list[str]:
    """Violations of A14 and A15 until the log is that much longer, and a turn begins. The other seat is Emil's."""
    page.wait_for_selector(LEGAL)
    page.evaluate(LISTEN)
    told, dice = page.locator(".log li").count(), Random(seed)
    for _ in range(60):
        page.evaluate(CLICK, dice.random())
        expect(page.locator(".rail.busy")).to_have_count(0)
        page.wait_for_selector(LEGAL)
        if page.locator(".log li").count() > told + lines and page.locator("main button[data-thing=draw]").count():
            break
    # What comes within a second is one message. The page waits: its timers end one after another, however busy it is.
    page.evaluate("new Promise((done) => setTimeout(done, 1200))")
    polite, assertive, asked = page.evaluate("[window.polite.join('. '), window.assertive, window.asked]")
    # The eyes see cards, the ears hear their names.
    log = page.locator(".log button").evaluate_all("all => all.map((each) => each.ariaLabel)")[told:]
    deeds = [line for line in log if line.startswith("Emil")]
    heard = [line for line in (" ".join(each.split()) for each in polite.split(". ")) if line.startswith("Emil")]
    assert len(deeds) > lines // 4 and len(asked) > lines // 4
    found = [] if len(assertive) == len(asked) else [f"A14 {len(asked)} questions, announced: {assertive}"]
    return found + ([] if heard == deeds else [f"A15 {deeds}, announced: {heard}"])


def mismarked(page: Page) -> list[str]:
    """Violations of A19, at the beginning of a turn that begins with drawing, which is done."""
    found = []
    if (count := page.locator(".board .last").count()) != 1:  # there is one opponent
        found.append(f"A19 {count} marks")
    expect(page.locator(".others .deed")).not_to_be_empty()
    page.locator("main [data-thing=draw]").click()
    expect(page.locator(".rail.busy")).to_have_count(0)
    page.wait_for_selector(LEGAL)
    if page.locator(".board .last").count() or page.locator(".others .deed").inner_text():
        found.append("A19 a mark stays")
    return found


AGAIN = """(id) => {
  const region = document.getElementById(id);
  let own = false;
  new MutationObserver(() => {
    own = !own && region.textContent !== "";
    if (own) region.textContent = region.textContent;
  }).observe(region, { childList: true });
}"""
"""The region says everything twice."""
STAYS = """() => new MutationObserver(() => document.querySelector(".mine .card:not(.last)")?.classList.add("last"))
  .observe(document.querySelector(".board"), { childList: true, subtree: true, attributes: true })"""


@pytest.mark.checked
@pytest.mark.planted("A14", "A15", "A19")
def test_each_deed_and_each_question_is_told_once_and_marked(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    page = ann.at(opened(ann, seats=["me", "careful/1"]))
    assert misheard(page, 16, 5) == []
    assert page.evaluate("document.getElementById('polite') === window.region")
    assert mismarked(page) == []
    for region, law in (("assertive", "A14"), ("polite", "A15")):
        page.reload()
        page.wait_for_selector(LEGAL)
        page.evaluate(AGAIN, region)
        assert {each.partition(" ")[0] for each in misheard(page, 6, 5)} == {law}
    page.evaluate(STAYS)
    page.wait_for_selector("main [data-thing=draw]")
    page.evaluate("document.querySelector('.mine .card').classList.add('x')")
    assert [each for each in mismarked(page) if each.startswith("A19")]
