"""Sealed and private games in the browser, and games with clocks."""

import re

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from domain.fairness.chance import seal
from tests.support.clients import Server
from tests.web.browsers import (
    FIRST,
    LEGAL,
    Player,
    Visitor,
    ask,
    now,
    opened,
    somebody,
)  # fmt: skip
from tests.web.measures import unreadable


@pytest.mark.checked
def test_two_people_ready_without_noticing_also_over_a_reload(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """They open, join by link, and play; the entropies are sealed, and each keeps the head before its own opening."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    ann.provokes("ERR_INTERNET_DISCONNECTED")
    page = ann.visit()
    page.get_by_role("button", name="Open a table").first.click()
    page.get_by_role("radio", name="2", exact=True).check(force=True)
    page.get_by_role("button", name="Open and copy link").click()
    link = page.get_by_label("Only people with this link").input_value()
    ruleset, _, game_id = page.url.partition("g=")[2].partition("/")
    game = {"ruleset": ruleset, "id": game_id}
    page.reload()  # between sitting down and readying
    page.wait_for_selector("h1")
    page.context.set_offline(offline=True)  # so that Ben finds all seats taken, and Ann is ready last
    other = ben.page
    other.goto(link)
    other.get_by_role("button", name="Sit down").click()
    expect(other.get_by_text("is ready")).to_have_count(1)
    seats = now(ben, game)["seats"]
    assert ["ready" in seat for seat in seats] == [False, True]
    other.reload()
    page.context.set_offline(offline=False)
    for each in (page, other):
        each.wait_for_selector(LEGAL)
    before = now(ann, game)["version"]
    page.locator(LEGAL).first.click()
    for each in (page, other):
        expect(each.locator(".log li").filter(has_text="turns up")).to_have_count(1)
    assert now(ann, game)["version"] == before + 1
    items = ask(server.url, f"games/{ruleset}/{game_id}/events?limit=500", token=ben.token)["items"]
    assert [item["event"]["seat"] for item in items if item["event"]["type"] == "readied"] == [1, 0]
    assert len({seat["entropy"] for seat in now(ann, game)["seats"]} - {""}) == 2
    assert page.evaluate(f"localStorage['stammtisch.sealed.{game_id}']") is None


@pytest.mark.by_default()
def test_a_page_that_does_not_see_all_seals_does_not_ready(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """The service leaves a seal out of the log that it shows to Ann."""
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann, seats=["me", "open"], sealed=True)
    path = f"games/{FIRST}/{game['id']}"

    def tampered(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r',"seal":"[0-9a-f]{64}"', "", answer.text()))

    page = ann.at(game)
    page.route(re.compile(rf"{path}/events"), tampered)
    page.get_by_role("button", name="Sit down").first.click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    ann.visit("standings")  # the channel of the table would show the seal
    sealed = seal(game["id"], 1, "of Ben")
    ask(server.url, f"{path}/seats", {"seat": 1, "seal": sealed}, ben.token)
    ask(server.url, f"{path}/ready", {"entropy": "of Ben"}, ben.token)
    ann.at(game)
    expect(page.get_by_text("is ready")).to_have_count(1)
    page.wait_for_timeout(500)
    assert [seat.get("ready") for seat in now(ann, game)["seats"]] == [None, True]
    page.unroute(re.compile(rf"{path}/events"))
    page.reload()
    page.wait_for_selector(LEGAL)


@pytest.mark.by_default()
def test_a_private_game_is_joined_by_its_link(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    ann, ben, eve = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben", "Eve"))
    eve.provokes("404")
    game = opened(ann, private=True)
    link = ann.at(game).get_by_label("Only people with this link").input_value()
    assert "#invite=" in link
    page = ben.page
    page.goto(link)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(LEGAL)
    assert "invite" not in page.url
    assert now(ben, game)["you"] == 1
    stranger = eve.visit(f"table?g={game['ruleset']}/{game['id']}")
    expect(stranger.get_by_text("or it is private")).to_be_visible()


@pytest.mark.by_default()
def test_clocks_run_and_whoever_is_too_late_can_come_back(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann, ben = (somebody(browser, server, visitors, name) for name in ("Ann", "Ben"))
    game = opened(ann, clock={"bank": 5})
    ask(server.url, f"games/{FIRST}/{game['id']}/seats", {"seat": 1}, ben.token)
    for _ in range(3):  # the other one has time until the end of the test
        ask(server.url, f"games/{FIRST}/{game['id']}/time", {"seat": 1, "seconds": 5}, ann.token)
    page = ann.at(game)
    expect(page.locator(".extra .clock")).to_have_text(re.compile(r"0:0[1-5]"))
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="Give Ben 5 seconds").click()
    page.wait_for_timeout(300)
    assert now(ann, game)["clock"]["seats"][1]["reserve"] == 20_000
    page.get_by_role("button", name="Come back").click()
    expect(page.locator(".log")).to_contain_text("comes back")
    expect(page.get_by_role("button", name="Come back")).to_have_count(0)
    assert "gone" not in now(ann, game)["seats"][0]


@pytest.mark.by_default("[de-")
@pytest.mark.parametrize("locale, words", [("en", "seconds left on your clock"), ("de", "Sekunden auf deiner Uhr")])
def test_thirty_and_ten_seconds_of_the_own_clock_are_read_out(
    browser: Browser, server: Server, visitors: list[Visitor], locale: str, words: str
) -> None:
    """Each once, and nothing while there is more time."""
    ann, ben = somebody(browser, server, visitors, "Ann", locale=locale), Player(server.url, "Ben")
    game = opened(ann, clock={"bank": 600})
    ask(server.url, f"games/{FIRST}/{game['id']}/seats", {"seat": 1}, ben.token)
    page = ann.page
    page.clock.install()
    # Without a date, the page keeps to its own clock, which is put forward here.
    page.route("**/v1/**", lambda route: undated(route, route.fetch()))
    ann.at(game)
    page.clock.run_for(2_000)
    told = page.evaluate_handle("""() => {
      const told = [], region = document.getElementById("assertive");
      new MutationObserver(() => told.push(region.textContent)).observe(region, { childList: true });
      return told;
    }""")
    for seconds in (500, 60, 12, 1, 18, 1):
        page.clock.fast_forward(seconds * 1000)
        page.clock.run_for(400)
    heard = [int(found) for each in told.json_value() for found in re.findall(rf"(\d+) {words}", each)]
    assert heard == [pytest.approx(25, abs=4), pytest.approx(6, abs=4)], told.json_value()


def undated(route: Route, response: APIResponse) -> None:
    route.fulfill(response=response, headers={**response.headers, "date": ""})


@pytest.mark.checked
@pytest.mark.by_default("(360, 640)")
@pytest.mark.parametrize("window", [(1280, 800), (390, 844), (360, 640), (844, 390)], ids=str)
def test_a_clock_can_be_read_and_covers_no_points(ann: Visitor, server: Server, window: tuple[int, int]) -> None:
    """At the plate of the seat to act, and when time is short."""
    game = opened(ann, seats=4, clock={"bank": 3600})
    for seat, guest in enumerate(("Benedikt", "Chiara", "Dorothea"), 1):
        token = ask(server.url, "players", {"name": guest})["token"]
        ask(server.url, f"games/{FIRST}/{game['id']}/seats", {"seat": seat}, token)
    page = ann.page
    page.set_viewport_size({"width": window[0], "height": window[1]})
    ann.at(game)
    expect(page.locator(".extra .clock")).to_have_text(re.compile(r"[45]\d:\d\d"))  # as wide as it stays
    assert [each for each in unreadable(page) if re.search(r"[45]\d:\d\d", each)] == []
    expect(page.locator(".others .clock").filter(visible=True)).to_have_count(3)
    page.evaluate("document.querySelectorAll('.clock').forEach((each) => each.classList.add('short'))")
    over = page.evaluate("""() => [...document.querySelectorAll(".plate")].flatMap((plate) => {
      const [clock, points] = [...plate.querySelectorAll(".clock, .pts")].map((each) => each.getBoundingClientRect());
      const beside = clock.bottom <= points.top || clock.top >= points.bottom || clock.right <= points.left;
      return beside ? [] : [plate.innerText];
    })""")
    assert over == []


COUNTED = """
  window.calls = 0;
  for (const name of ["setTimeout", "requestAnimationFrame", "requestIdleCallback"]) {
    const real = window[name];
    window[name] = (...given) => (window.calls++, real(...given));
  }
"""


def test_pages_at_rest_do_nothing_before_a_second_has_passed(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """The lobby, and a table that waits for others: there no view exists yet whose moves could be shown."""
    ann = somebody(browser, server, visitors, "Ann")
    ann.context.add_init_script(COUNTED)
    for reach in (ann.visit, lambda: ann.at(opened(ann))):
        page = reach()
        counted: list[int] = []
        for _ in range(100):
            counted.append(page.evaluate("window.calls"))
            page.wait_for_timeout(200)
            if len(counted) > 3 and counted[-1] <= counted[-4] + 2:  # a message of the play channel may come
                break
        else:
            pytest.fail(f"{page.url} called timers all the time: {counted}")
