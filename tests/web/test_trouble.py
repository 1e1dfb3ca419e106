"""What goes wrong between a page and the service, and what is sent to a page that it cannot use."""

import json
import re
import signal
from pathlib import Path
from random import Random
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import FIRST, HURRY, LEGAL, Visitor, ask, moves_of, now, opened, somebody
from tests.web.cable import cable


def without_channel(route: WebSocketRoute) -> None:
    """As behind a proxy that does not know web sockets."""
    route.close(code=1011)


def test_a_move_is_made_once_through_every_trouble(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Without the channel: 503, 429, 500, no answer at all, an answer that is lost: the same key, one move."""
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    game = opened(visitor, hotseat=True)
    visitor.context.add_init_script(HURRY)
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
    expect(page.locator(".rail.busy")).to_have_count(0)
    assert len(keys) == 6
    assert len({*keys}) == 1
    assert now(visitor, game)["version"] == before + 1


def test_a_move_survives_a_reload(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    game = opened(visitor, hotseat=True)
    with cable(server.url) as network:
        visitor.url = network.url
        page = visitor.at(game)
        page.wait_for_selector(LEGAL)
        before = now(visitor, game)["version"]
        network.cut_after = 10
        page.locator(LEGAL).first.click()
        page.wait_for_selector(".rail.busy")
        for _ in range(6000):
            if network.cuts:
                break
            page.wait_for_timeout(10)
        assert network.cuts
        page.reload()
        page.wait_for_selector(LEGAL)
        expect(page.locator(".rail.busy")).to_have_count(0)
        assert now(visitor, game)["version"] == before + 1


def told(page: Page) -> list[str]:
    return [*page.locator(".log li").all_inner_texts()]


@pytest.mark.checked
def test_moves_go_over_the_channel_and_are_made_once_whatever_is_cut(
    browser: Browser, server: Server, visitors: list[Visitor], everything: bool
) -> None:
    """The network is cut within requests, answers and events, and now and then gone for a while."""
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
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
        before = -1
        while before != len(posted):  # the channel is back when a move is not posted
            before = len(posted)
            page.locator(LEGAL).first.click()
            clicks += 1
            expect(page.locator(".rail.busy")).to_have_count(0)
            page.wait_for_selector(LEGAL)
            assert clicks < 60
        assert moves_of(visitor, game) - made == clicks
        expect(page.locator(".result-line")).to_have_count(0)
        version = now(visitor, game)["version"]
        page.wait_for_function(
            f"JSON.parse(localStorage['stammtisch.seen.{game['ruleset']}/{game['id']}']).version == {version}"
        )
        shown = told(page)
    visitor.url = server.url
    assert told(visitor.at(game)) == shown


@pytest.mark.by_default()
def test_a_killed_server_is_missed_for_two_seconds_at_most(
    browser: Browser, tmp_path: Path, visitors: list[Visitor]
) -> None:
    """It dies while a move is under way; the move is made once and shown soon after the server has come back."""
    first = Server(tmp_path / "games.db", rate_limit="off")
    with cable(first.url) as network:
        visitor = somebody(browser, first, visitors, "Ann")
        visitor.provokes()
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
        second = Server(tmp_path / "games.db", rate_limit="off")
        network.target = second.url
        expect(page.locator(".log li")).to_have_count(lines + 1, timeout=60_000)
        expect(page.locator(".offline")).to_have_count(0)
        assert moves_of(visitor, game) == before + 1
    second.stop()


@pytest.mark.by_default()
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


@pytest.mark.by_default()
def test_a_cut_network_is_said_and_overcome(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    ben.provokes()
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


@pytest.mark.by_default()
@pytest.mark.parametrize("ways", [["localStorage"], ["localStorage", "sessionStorage"]], ids=["lasting", "all"])
def test_storage_that_is_forbidden_is_said(
    browser: Browser, server: Server, visitors: list[Visitor], ways: list[str]
) -> None:
    """Without the lasting one the tab keeps the seat. Without any no seat is taken that the next page would not know;
    at a table it is kept until the page is left."""
    visitor, host = somebody(browser, server, visitors), somebody(browser, server, visitors, "Host")
    for way in ways:
        visitor.context.add_init_script(
            f"Object.defineProperty(window, '{way}', {{ get() {{ throw new Error('forbidden'); }} }})"
        )
    page = visitor.visit()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_role("button", name="OK", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    if len(ways) == 1:
        page.get_by_label("Name").fill("Ann")
        page.get_by_role("button", name="OK", exact=True).click()
        page.wait_for_selector(LEGAL)
        page.reload()
        page.wait_for_selector(LEGAL)
        return
    expect(page.get_by_role("alert").filter(has_text="stores nothing for this site")).to_be_visible()
    game = opened(host)
    page.goto(f"{server.url}/table?g={FIRST}/{game['id']}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(LEGAL)
    page.locator(LEGAL).first.click()
    expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(1)


# --- bad input ----------------------------------------------------------------------------------------------------

MARKUP = "<img src=x onerror=alert(1)><b>bold</b>"


def test_markup_in_names_and_decks_is_text(browser: Browser, tmp_path: Path, visitors: list[Visitor]) -> None:
    """Names of players, and names and provenance of a deck that the operator added."""
    name = MARKUP[:40]
    deck = builtins(next(iter(RULESETS[FIRST].decks.values())).data) | {"name": "own", "provenance": MARKUP}
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "own.json").write_text(json.dumps(deck))
    server = Server(tmp_path / "games.db", decks=str(tmp_path / "decks"))
    visitor = somebody(browser, server, visitors, name)
    game = opened(visitor, hotseat=True, deck="own")
    page = visitor.at(game)
    expect(page.get_by_text(f"{name} 1").first).to_be_visible()
    page.get_by_role("button", name="Table").click()
    expect(page.get_by_role("dialog")).to_contain_text(MARKUP)
    visitor.visit()
    expect(page.locator(".hero")).to_contain_text(name)
    assert page.locator("img[src=x], main b b, dialog b").count() == 0
    visitor.assert_content()
    server.stop()


@pytest.mark.checked
def test_an_expired_session_is_said_and_can_be_forgotten(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """A token that another secret signed. Nothing is lost: the game is there, to be watched, under another name."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann)
    ask(server.url, f"games/{game['ruleset']}/{game['id']}/seats", {"seat": 1}, ben.token)
    forged = json.dumps({"id": "x", "name": "Eve", "token": ".".join([*ann.token.split(".")[:2], "AAAA"])})
    page = somebody(browser, server, visitors).visit()
    visitors[-1].provokes("401")
    page.evaluate("(known) => localStorage.setItem('stammtisch.identity', known)", forged)
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="session has expired")).to_be_visible()
    page.goto(f"{server.url}/table?g={game['ruleset']}/{game['id']}")
    expect(page.get_by_role("heading", name="session has expired")).to_be_visible()
    page.get_by_role("button", name="Forget me").click()
    page.wait_for_selector(".rail")
    assert now(visitors[-1], game)["you"] is None


@pytest.mark.by_default()
def test_a_session_that_ends_in_the_middle_of_a_game_is_said(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """The player is forgotten while the page is open: the move is refused, and says why."""
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes("401", "WebSocket")
    page = visitor.at(opened(visitor, hotseat=True))
    page.wait_for_selector(LEGAL)
    request = Request(
        f"{server.url}/v1/players/me", headers={"Authorization": f"Bearer {visitor.token}"}, method="DELETE"
    )
    urlopen(request).close()
    expect(page.get_by_text("session has expired").first).to_be_visible()


@pytest.mark.by_default()
def test_a_private_link_without_invite_or_with_a_wrong_one(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    game = opened(ann, private=True)
    for code in ("", "#invite=wrong", "#invite=%E2%82%AC%0A", f"#invite={'x' * 3000}"):
        eve = somebody(browser, server, visitors, "Eve")
        eve.provokes("404")
        page = eve.visit(f"table?g={game['ruleset']}/{game['id']}{code}")
        expect(page.get_by_text("or it is private")).to_be_visible()
        assert "invite" not in page.url
    assert not [url for visitor in visitors for url in visitor.asked if "/v1/" in url and "invite" in url]


@pytest.mark.by_default()
def test_a_table_that_does_not_exist(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors)
    visitor.provokes("40")
    for path in ("", "?g=nothing/x", f"?g={FIRST}/../../players/me", "?g=%00", f"?g={FIRST}/x#v=abc&as=99"):
        page = visitor.visit(f"table{path}")
        expect(page.get_by_role("link", name="To the lobby")).to_be_visible()


@pytest.mark.by_default()  # it waits for the pauses between attempts
def test_a_server_that_cannot_answer_is_asked_again(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """The lobby and the table say that there is no answer, and show what they should when there is one."""
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    game = opened(visitor, hotseat=True)
    troubles = iter([503, 500, 429, 0, 503])

    def trouble(route: Route) -> None:
        status = next(troubles, None)
        if status is None:
            route.continue_()
        elif status == 0:
            route.abort()
        else:
            route.fulfill(status=status, body="no JSON")

    visitor.context.add_init_script(HURRY)
    visitor.context.route(re.compile("/v1/rulesets$|/v1/games/"), trouble)
    page = visitor.visit()
    expect(page.get_by_role("alert").filter(has_text=re.compile("answer|Wait"))).to_be_visible()
    expect(page.locator(".games li").first).to_be_visible(timeout=60_000)
    page.goto(f"{server.url}/table?g={game['ruleset']}/{game['id']}")
    page.wait_for_selector(LEGAL, timeout=60_000)


@pytest.mark.by_default()
def test_a_full_storage_is_said_and_nothing_is_lost(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """Also where there is no room for the open move: the tab keeps it until it is answered."""
    visitor = somebody(browser, server, visitors)
    full = """const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (...pair) {
        if (this === localStorage) throw new DOMException("full", "QuotaExceededError");
        setItem.apply(this, pair);
      };"""
    visitor.context.add_init_script(full)
    page = visitor.visit()
    page.get_by_role("button", name="Open a table").first.click()
    page.get_by_role("radio", name="One device").check(force=True)
    page.get_by_role("button", name="Deal on this device").click()
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="OK", exact=True).click()
    expect(page.get_by_text("lets the page remember nothing").first).to_be_visible()
    page.wait_for_selector(LEGAL)
    page.reload()
    page.locator(LEGAL).first.click()
    expect(page.locator(".log li").filter(has_text="turns up")).to_have_count(1)


@pytest.mark.by_default()
def test_a_browser_without_what_the_page_needs_is_told(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    for locale, text in (("en-US", "This browser is too old"), ("de-DE", "Dieser Browser ist zu alt")):
        visitor = somebody(browser, server, visitors, locale=locale)
        visitor.context.add_init_script("delete Promise.withResolvers")
        for path in ("", "table"):
            expect(visitor.visit(path).locator("main")).to_contain_text(text)


@pytest.mark.checked
@pytest.mark.by_default("[context]")
@pytest.mark.parametrize("context", [False, True], ids=["page", "context"])
def test_a_route_that_outlives_its_page_fails_no_test(browser: Browser, server: Server, context: bool) -> None:
    """The pages go on asking; a handler can wait for an answer when the test is over."""
    visitor = Visitor(browser, server.url, "Ann")
    asked: list[Route] = []

    def slow(route: Route) -> None:
        asked.append(route)
        visitor.page.wait_for_timeout(1_000)
        route.fetch()

    (visitor.context if context else visitor.page).route("**/v1/players/me", slow)
    visitor.visit()
    with visitor.page.expect_request("**/v1/players/me"):
        visitor.page.evaluate("void fetch('/v1/players/me')")
    while not asked:
        visitor.page.wait_for_timeout(10)
    visitor.close()
    other = Visitor(browser, server.url)
    other.visit()  # an error would be raised here
    other.close()
