"""The pages in Chromium, against a real service."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import LEGAL, Json, Visitor, ask, chromium, play
from tests.web.cable import cable

FIRST = next(iter(RULESETS))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("web") / "games.db", rate_limit="off", sqlite_writer="thread")
    yield started
    started.stop()


@pytest.fixture
def visitors() -> Iterator[list[Visitor]]:
    """Those who were made in the test; in the end none of them has anything to complain of."""
    found: list[Visitor] = []
    yield found
    for visitor in found:
        visitor.assert_content()
        visitor.context.close()


def somebody(browser: Browser, server: Server, visitors: list[Visitor], name: str = "", **context: object) -> Visitor:
    visitors.append(Visitor(browser, server.url, name, **context))
    return visitors[-1]


def opened(visitor: Visitor, ruleset: str = FIRST, **terms: object) -> Json:
    seats = {"seats": RULESETS[ruleset].seats[0]}
    return ask(visitor.url, f"games/{ruleset}", seats | terms, visitor.token)


def now(visitor: Visitor, game: Json) -> Json:
    return ask(visitor.url, f"games/{game['ruleset']}/{game['id']}", token=visitor.token)


# --- the lobby ----------------------------------------------------------------------------------------------------


def test_a_first_game_from_nothing(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """One click, a name, and it is one's turn."""
    page = somebody(browser, server, visitors).visit()
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Name").fill("<b>Ann & Co</b>")
    page.get_by_role("button", name="OK").click()
    page.wait_for_selector(LEGAL)
    expect(page).to_have_title(re.compile("Your turn"))
    expect(page.get_by_text("<b>Ann & Co</b> 1").first).to_be_visible()


def test_a_bad_name_is_explained(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    page = somebody(browser, server, visitors).visit()
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Name").fill("\N{ZERO WIDTH SPACE}")
    page.get_by_role("button", name="OK").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    visitors[-1].complaints = [each for each in visitors[-1].complaints if "400" not in each]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_form_has_every_option(browser: Browser, server: Server, visitors: list[Visitor], ruleset: str) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    page, rules = visitor.visit(), RULESETS[ruleset]
    page.get_by_role("radio", name=rules.labels["en"].title, exact=True).check(force=True)
    page.get_by_role("button", name="Open a table").click()
    form = page.get_by_role("dialog")
    names = form.locator("[name]").evaluate_all("all => [...new Set(all.map((each) => each.name))]")
    assert {*names} == {"seats", "where", "deck", *rules.options.__struct_fields__}
    form.get_by_label("Who can join").select_option("private")
    form.get_by_role("button", name="Open").click()
    page.wait_for_url(re.compile(r"table\?g="))
    game = ask(server.url, f"games/{page.url.partition('g=')[2]}", token=visitor.token)
    assert (game["private"], game["status"], game["options"]) == (
        True, "waiting", ask(server.url, f"rulesets/{ruleset}")["default_options"],
    )  # fmt: skip
    assert len(game["seats"][0]["entropy"]) == 32


def test_two_sit_down_and_play_and_a_third_looks_on(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben, eve = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben", ""))
    game = opened(ann)
    first, watching = ann.at(game), eve.at(game)
    lobby = ben.visit()
    row = lobby.locator(".list li").filter(has_text="Ann").first
    row.get_by_role("button", name="Sit down").click()
    lobby.wait_for_url(re.compile(r"table\?g="))
    for page in (first, lobby):
        page.wait_for_selector(LEGAL)
    watching.wait_for_selector(".rail")
    assert watching.locator(LEGAL).count() == 0
    before = now(ann, game)["version"]
    first.locator(LEGAL).first.click()
    for page in (first, lobby, watching):
        expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(1, timeout=4000)
    assert now(ann, game)["version"] == before + 1


def test_a_private_game_is_joined_by_its_link(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben, eve = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben", "Eve"))
    game = opened(ann, private=True)
    link = ann.at(game).get_by_label("Only who has this link").input_value()
    assert "#invite=" in link
    page = ben.page
    page.goto(link)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(LEGAL)
    assert "invite" not in page.url
    assert now(ben, game)["you"] == 1
    stranger = eve.visit(f"table?g={game['ruleset']}/{game['id']}")
    expect(stranger.get_by_text("or it is private")).to_be_visible()
    eve.complaints = [each for each in eve.complaints if "404" not in each]


# --- whole games by clicks ----------------------------------------------------------------------------------------

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.mark.by_default(f"[{FIRST}]")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_by_clicks(browser: Browser, server: Server, visitors: list[Visitor], ruleset: str) -> None:
    """All seats on one device, in English on a desktop and in German on a phone."""
    for locale, size in (("en-US", "desktop"), ("de-DE", "phone")):
        visitor = somebody(browser, server, visitors, "Ann", locale=locale, viewport=SIZES[size])
        game = opened(visitor, ruleset, hotseat=True)
        assert play(visitor.at(game), Random(f"{ruleset} {locale}")) > 20
        assert now(visitor, game)["result"] is not None
        visitor.assert_content()


def without_tables(route: Route) -> None:
    route.fulfill(content_type="text/javascript", body="export const TABLES = {};")


@pytest.mark.by_default(FIRST)
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
    for _ in range(60):
        if page.locator(".curtain button").count():
            page.locator(".curtain button").click()
        choices = page.locator(f"{LEGAL}, .rail .btn:not(.quiet):visible")
        choices.first.wait_for()
        choices.nth(dice.randrange(choices.count())).click()
        expect(page.locator(".rail.busy")).to_have_count(0)
    assert now(visitor, game)["version"] > before + 10


# --- trouble ------------------------------------------------------------------------------------------------------


def without_channel(route: WebSocketRoute) -> None:
    """As behind a proxy that does not know web sockets."""
    route.close(code=1011)


def test_a_move_is_made_once_through_every_trouble(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Without the channel: 503, 429, 500, no answer at all, an answer that is lost: the same key, one move."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, hotseat=True)
    visitor.context.route_web_socket(re.compile("/v1/channel"), without_channel)
    page = visitor.at(game)
    page.wait_for_selector(LEGAL)
    before = now(visitor, game)["version"]
    keys: list[str | None] = []
    answers = iter((
        (503, {}, '{"type": "unavailable", "status": 503}'),
        (429, {"Retry-After": "1"}, '{"type": "too-many-requests", "status": 429}'),
        (500, {}, "<h1>Bad gateway</h1>"),
    ))  # fmt: skip

    def trouble(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        match len(keys):
            case 1 | 2 | 3:
                status, headers, body = next(answers)
                route.fulfill(status=status, headers=headers, content_type="application/problem+json", body=body)
            case 4:
                route.abort()
            case 5:
                route.fetch()
                route.abort()
            case _:
                route.continue_()

    visitor.context.route(re.compile("/moves"), trouble)
    page.locator(LEGAL).first.click()
    expect(page.locator(".rail")).to_contain_text("Sending")
    expect(page.locator(".rail.busy")).to_have_count(0, timeout=30_000)
    assert len(keys) == 6
    assert len({*keys}) == 1
    assert now(visitor, game)["version"] == before + 1
    visitor.complaints.clear()  # what was broken on purpose


def test_a_move_survives_a_reload(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, hotseat=True)
    with cable(server.url) as network:
        visitor.url = network.url
        page = visitor.at(game)
        page.wait_for_selector(LEGAL)
        before = now(visitor, game)["version"]
        network.cut_after = 10
        page.locator(LEGAL).first.click()
        page.wait_for_selector(".rail.busy")
        while not network.cuts:
            page.wait_for_timeout(10)
        page.reload()
        page.wait_for_selector(LEGAL)
        expect(page.locator(".rail.busy")).to_have_count(0)
        assert now(visitor, game)["version"] == before + 1
        visitor.complaints.clear()


def moves_of(visitor: Visitor, game: Json) -> int:
    """How many moves the log has: entries of one append have one time."""
    path = f"games/{game['ruleset']}/{game['id']}/events?limit=500&as=bystander"
    return len({item["at"] for item in ask(visitor.url, path, token=visitor.token)["items"] if item["by"] is not None})


def told(page: Page) -> list[str]:
    return [*page.locator(".log li").all_inner_texts()]


def test_moves_go_over_the_channel_and_are_made_once_whatever_is_cut(
    browser: Browser, server: Server, visitors: list[Visitor], everything: bool
) -> None:
    """The network is cut within requests, answers and events, and now and then gone for a while."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, hotseat=True, options={"target_points": 1000})
    dice, cuts = Random(5), 50 if everything else 6
    posted: list[str] = []
    visitor.page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    with cable(server.url) as network:
        visitor.url = network.url
        page = visitor.at(game)
        page.wait_for_selector(LEGAL)
        expect(page.locator(".offline")).to_have_count(0)
        made = moves_of(visitor, game)
        clicks = 0
        while network.cuts < cuts:
            network.cut_after = dice.randrange(1500)
            network.down = network.cuts % 5 == 4
            page.locator(LEGAL).first.click()
            clicks += 1
            if network.down:
                page.wait_for_timeout(700)
                network.cut()
                network.down = False
            expect(page.locator(".rail.busy")).to_have_count(0)
            page.wait_for_selector(LEGAL)
        network.cut_after = None
        expect(page.locator(".offline")).to_have_count(0)
        assert moves_of(visitor, game) - made == clicks
        expect(page.locator(".result-line")).to_have_count(0)
        version = now(visitor, game)["version"]
        page.wait_for_function(
            f"JSON.parse(localStorage['stammtisch.seen.{game['ruleset']}/{game['id']}']).version == {version}"
        )
        shown = told(page)
    visitor.url = server.url
    assert told(visitor.at(game)) == shown
    assert len(posted) < clicks / 2  # the others went over the channel
    visitor.complaints.clear()


def test_a_killed_server_is_missed_for_two_seconds_at_most(
    browser: Browser, tmp_path: Path, visitors: list[Visitor]
) -> None:
    """It dies while a move is under way; the move is made once and shown soon after the server has come back."""
    first = Server(tmp_path / "games.db", rate_limit="off", sqlite_writer="thread")
    with cable(first.url) as network:
        visitor = somebody(browser, first, visitors, "Ann")
        game = opened(visitor, hotseat=True)
        visitor.url = network.url
        page = visitor.at(game)
        page.wait_for_selector(LEGAL)
        before = moves_of(visitor, game)
        lines = page.locator(".log li").count()
        network.cut_after = 10
        page.locator(LEGAL).first.click()
        first.stop(how=signal.SIGKILL)
        expect(page.locator(".offline")).to_have_count(1)
        second = Server(tmp_path / "games.db", rate_limit="off", sqlite_writer="thread")
        network.target = second.url
        expect(page.locator(".log li")).to_have_count(lines + 1, timeout=2000 + 1000)  # on a loaded machine
        expect(page.locator(".offline")).to_have_count(0)
        assert moves_of(visitor, game) == before + 1
        visitor.complaints.clear()
    second.stop()


def test_two_tabs_that_move_at_once_make_one_move(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """The second one is told that the table has changed."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, hotseat=True)
    tabs = [visitor.at(game), visitor.context.new_page()]
    tabs[1].goto(tabs[0].url)
    for tab in tabs:
        tab.wait_for_selector(LEGAL)
    before = moves_of(visitor, game)
    things = [tab.locator(LEGAL).first.get_attribute("data-thing") for tab in tabs]
    for tab in tabs:  # both clicks before either answer
        tab.evaluate(
            "(thing) => setTimeout(() => document.querySelector(`[data-thing='${thing}']`).click(), 150)", things[0]
        )
    for tab in tabs:
        tab.wait_for_timeout(200)
        expect(tab.locator(".rail.busy")).to_have_count(0)
        tab.wait_for_selector(LEGAL)
    assert moves_of(visitor, game) == before + 1
    assert told(tabs[0]) == told(tabs[1])


def test_a_cut_network_is_said_and_overcome(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann)
    ask(server.url, f"games/{game['ruleset']}/{game['id']}/seats", {"seat": 1}, ben.token)
    first, second = ann.at(game), ben.at(game)
    second.wait_for_selector(LEGAL)
    ben.context.set_offline(True)
    first.wait_for_selector(LEGAL)
    first.locator(LEGAL).first.click()
    expect(first.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    ben.context.set_offline(False)
    expect(second.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    ben.complaints.clear()


def test_storage_that_is_forbidden_is_said(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors)
    forbidden = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } })"
    visitor.context.add_init_script(forbidden)
    page = visitor.visit()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()


# --- the replay ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(browser: Browser, server: Server) -> Json:
    """A game that is over."""
    visitor = Visitor(browser, server.url, "Ann")
    game = opened(visitor, hotseat=True, options={"target_points": 1})
    play(visitor.at(game), Random(7))
    found = now(visitor, game)
    visitor.context.close()
    return found


def backs(page: Page) -> int:
    return page.locator(".card.is-back[data-thing^='layouts/']").count()


def test_a_replay_shows_every_version_as_the_service_does(
    browser: Browser, server: Server, visitors: list[Visitor], finished: Json
) -> None:
    visitor = somebody(browser, server, visitors)
    page = visitor.at(finished)
    slider = page.get_by_role("slider")
    path = f"games/{finished['ruleset']}/{finished['id']}"
    dice = Random(3)
    for perspective in ("all", "1", "bystander"):
        page.get_by_label("Seen by").select_option(perspective)
        expect(page.get_by_label("Seen by")).to_have_value(perspective)
        for version in sorted(dice.sample(range(6, finished["version"]), 12)):
            slider.fill(str(version))
            expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^{version}\b"))
            view = ask(server.url, f"{path}?at={version}&as={perspective}")["view"]
            covered = sum(slot is not None and not slot["up"] for layout in view["layouts"] for slot in layout)
            assert backs(page) == covered, (perspective, version)


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


def test_a_branch_goes_on_from_a_version(
    browser: Browser, server: Server, visitors: list[Visitor], finished: Json
) -> None:
    visitor = somebody(browser, server, visitors, "Ben")
    page = visitor.visit(f"table?g={finished['ruleset']}/{finished['id']}#v=12")
    page.get_by_role("button", name="Branch here").click()
    page.wait_for_url(re.compile(rf"table\?g=(?!.*{finished['id']})"))
    page.wait_for_selector(LEGAL)
    branch = ask(server.url, f"games/{page.url.partition('g=')[2]}", token=visitor.token)
    assert branch["parent"]["id"] == finished["id"]


# --- for everybody ------------------------------------------------------------------------------------------------


@pytest.mark.by_default("desktop-light", "phone-dark")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_hidden_from_assistive_technology(
    browser: Browser, server: Server, visitors: list[Visitor], finished: Json, size: str, scheme: str
) -> None:
    """The lobby, a dialog, a table in play and in replay have no violation of WCAG 2.2 A and AA."""
    visitor = somebody(browser, server, visitors, "Ann", viewport=SIZES[size], color_scheme=scheme, bypass_csp=True)
    game = opened(visitor, hotseat=True)
    page = visitor.visit()
    page.wait_for_selector(".swatches label")
    found = violations(page)
    page.get_by_role("button", name="Open a table").click()
    found += violations(page)
    visitor.at(game).wait_for_selector(LEGAL)
    found += violations(page)
    visitor.at(finished)
    found += violations(page)
    assert found == []


def violations(page: Page) -> list[str]:
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
    result = Axe().run(page, options={"runOnly": tags}).response
    return [
        f"{page.url.rpartition('/')[2][:12]} {each['id']}: {node['html'][:160]}"
        for each in result["violations"]
        for node in each["nodes"][:3]
    ]


def test_a_game_by_keyboard(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Tab leads to the table, arrows from card to card, Enter clicks."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, hotseat=True)
    page = visitor.at(game)
    page.wait_for_selector(LEGAL)
    before = now(visitor, game)["version"]
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
    assert now(visitor, game)["version"] > before + 1


def test_the_live_regions_stay_and_tell_what_happens(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    page = visitor.at(opened(visitor, hotseat=True))
    page.wait_for_selector(LEGAL)
    page.evaluate("window.region = document.getElementById('polite')")
    page.locator(LEGAL).first.click()
    expect(page.locator("#polite")).to_contain_text("turns up")
    assert page.evaluate("window.region === document.getElementById('polite')")
