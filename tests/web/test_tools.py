"""The tools of a table: those that are off look and say so, and a game against the house ends by one question."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.clients import Server
from tests.web.browsers import Visitor, ask, now, opened, played_out, somebody


def test_a_tool_that_is_off_looks_so_and_says_why_when_it_is_pressed(ann: Visitor) -> None:
    """And Tab leads to one line of the log, from which arrows lead to the others."""
    page = ann.at(opened(ann, seats=["me", "careful/1"]))
    tool = page.get_by_role("button", name="Take back")
    expect(tool).to_have_attribute("aria-disabled", "true")
    assert float(tool.evaluate("each => getComputedStyle(each).opacity")) < 0.6
    still = tool.evaluate("each => getComputedStyle(each).backgroundColor")
    tool.hover(force=True)
    assert tool.evaluate("each => getComputedStyle(each).backgroundColor") == still
    tool.click(force=True)
    expect(page.locator(".ask")).to_contain_text("You can take back your move if it revealed nothing")
    assert [each for each in page.locator(".bar .tool[title]").all() if each.get_attribute("aria-disabled")] == []
    expect(page.locator(".log button[tabindex='0']")).to_have_count(1)
    page.locator(".log li").nth(1).locator("button").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".log li").first.locator("button")).to_be_focused()


@pytest.mark.checked
def test_a_game_against_the_house_ends_after_one_question(ann: Visitor) -> None:
    """At the table, and on its tile in the lobby."""
    games = [opened(ann, seats=["me", "careful/1"]) for _ in range(2)]
    page = ann.at(games[0])
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="End this game").click()
    page.get_by_role("button", name="Cancel").last.click()
    assert now(ann, games[0])["status"] == "running"
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="End this game").click()
    page.get_by_role("button", name="End it").click()
    expect(page.locator(".finale")).to_be_visible()
    assert now(ann, games[0])["status"] == "aborted"
    page = ann.visit()
    tile = page.locator(".yours li")
    expect(tile).to_have_count(1)
    tile.get_by_role("button", name="End this game").click()
    page.get_by_role("button", name="End it").click()
    expect(tile).to_have_count(0)
    assert now(ann, games[1])["status"] == "aborted"


@pytest.mark.by_default("friends")
@pytest.mark.parametrize(("company", "agreed"), [("friends", True), ("anybody", False)])
def test_taking_back_by_consent_is_usual_among_friends(
    ann: Visitor, server: Server, company: str, agreed: bool
) -> None:
    page = ann.visit()
    page.get_by_role("button", name="Open a table").first.click()
    page.locator(f"input[name=company][value={company}]").check(force=True)
    box = page.get_by_role("checkbox", name="Taking back by consent")
    expect(box).to_be_checked(checked=agreed)
    page.locator(".opening footer .btn.main").click()
    page.wait_for_url("**/table?g=**")
    name = page.url.partition("g=")[2].partition("#")[0]
    assert ask(server.url, f"games/{name}", token=ann.token)["undo_mode"] == ("agreed" if agreed else "free")


@pytest.mark.checked
def test_a_finished_game_against_the_house_is_shared_after_one_question(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    game = opened(ann, seats=["me", "random/1"], options={"target_points": 1}, private=True)
    played_out(game, ann)
    page = ann.at(game)
    page.get_by_role("button", name="Share").first.click()
    page.get_by_role("button", name="Let them see it").click()
    link = page.locator(".shared input").input_value()
    expect(page.locator(".shared")).not_to_contain_text("Only")
    stranger = somebody(browser, server, visitors)
    stranger.page.goto(link)
    expect(stranger.page.locator(".board")).to_be_visible()
    assert "invite" not in stranger.page.url
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Share").first.click()
    expect(page.locator(".shared input")).to_have_value(link)  # it is asked once


def test_the_list_of_moves_is_walked_by_arrows_and_says_cards(ann: Visitor) -> None:
    """Enter in the filter makes no move that nobody asked for."""
    game = opened(ann, "skyjo", seats=["me", "careful/1"])
    page = ann.at(game)
    page.keyboard.press("m")
    moves = page.locator("dialog .moves button")
    expect(moves.first).to_have_text("Turn up a card (column 1, row 1)")
    page.get_by_role("searchbox").press("Enter")
    expect(moves.first).to_be_visible()
    before = now(ann, game)["version"]
    page.get_by_role("searchbox").press("ArrowDown")
    expect(moves.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(moves.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    assert now(ann, game)["version"] == before
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("Ann turns up")


def test_a_hint_thinks_visibly_and_says_cards_before_figures(ann: Visitor) -> None:
    game = opened(ann, "skyjo", seats=["me", "careful/1"], hints=True)
    page = ann.at(game)
    moves = now(ann, game)["legal_moves"]
    found = {"version": now(ann, game)["version"], "moves": moves[:1], "against": moves[1], "ahead": 2.5, "error": 0.5}
    held = list[Route]()
    ann.context.route("**/hints", lambda route: held.append(route))
    page.locator(".tool.hint").click()
    expect(page.locator(".tool.hint")).to_have_text("Thinking …")
    page.wait_for_timeout(100)
    held[0].fulfill(json=found)
    note = page.locator(".moment-line.hint")
    expect(note.locator("> span")).to_have_text("“Turn up a card (column 1, row 1)”.")
    expect(note.get_by_text("2.5 points")).to_be_hidden()
    note.get_by_text("Why?").click()
    expect(note.get_by_text("2.5 points (1.5 to 3.5)")).to_be_visible()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible()
    ann.context.unroute_all(behavior="ignoreErrors")


@pytest.mark.checked
def test_players_of_the_house_are_chosen_by_name_and_speak_unless_they_are_muted(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    page = ann.visit()
    page.get_by_role("button", name="Open a table").first.click()
    page.locator("input[name=company][value=house]").check(force=True)
    page.locator("input[name=seats][value='2']").check(force=True)
    page.get_by_label("Seat 2").select_option("Käthe")
    page.locator(".opening footer .btn.main").click()
    page.wait_for_url("**/table?g=**")
    expect(page.locator(".plate").filter(has_text="Käthe")).to_be_visible()
    name = page.url.partition("g=")[2].partition("#")[0]
    game = ask(server.url, f"games/{name}", token=ann.token)
    assert [each.get("bot") for each in game["seats"]] == [None, "easy/1"]
    page.goto(server.url)
    expect(page.locator(".tile")).to_contain_text("Käthe")


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Server]:
    """A service without open tables, which the one that modules share has from other tests."""
    with Server(tmp_path / "games.db", rate_limit="off") as started:
        yield started


@pytest.mark.checked
def test_one_button_of_a_game_finds_people_and_the_house_comes_after_a_minute(
    browser: Browser, alone: Server, visitors: list[Visitor]
) -> None:
    ann, ben = (somebody(browser, alone, visitors, name) for name in ("Ann", "Ben"))
    card = ann.visit().locator(".game").first
    card.get_by_role("button", name="Find people").click()
    ann.page.wait_for_url("**/table?g=**")
    expect(ann.page.locator(".offer")).to_contain_text("If nobody comes within a minute, the house sits down.")
    first = ann.page.url
    other = ben.visit().locator(".game").first
    other.get_by_role("button", name="1 waits").click()
    ben.page.wait_for_url("**/table?g=**")
    assert ben.page.url == first
    expect(ann.page.locator(".board")).to_be_visible()
    cem = somebody(browser, alone, visitors, "Cem")
    page = cem.page
    page.clock.install()
    cem.visit().locator(".game").first.get_by_role("button", name="Find people").click()
    page.wait_for_url("**/table?g=**")
    expect(page.locator(".offer")).to_be_visible()
    before = page.url
    page.clock.fast_forward("01:05")
    page.wait_for_url(lambda url: url != before)
    game = ask(alone.url, f"games/{page.url.partition('g=')[2].partition('#')[0]}", token=cem.token)
    assert [bool(each.get("bot")) for each in game["seats"]].count(True) == len(game["seats"]) - 1


@pytest.mark.checked
def test_face_felt_and_backs_are_chosen_and_sounds_are_heard_before(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors)
    ann.settle("Ann")
    page = ann.at(opened(ann, "skyjo", seats=["me", "careful/1"]))
    expect(page.locator(".room")).to_have_attribute("data-cloth", "petrol")
    page.evaluate("""() => {
      window.heard = [];
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (at) { heard.push(this.type); return start.call(this, at); };
    }""")
    page.locator("button.user").click()
    page.get_by_role("button", name="Listen: Bell").press("Enter")
    assert page.evaluate("heard") == ["sine", "sine"]
    expect(page.get_by_role("dialog").get_by_label("Bell", exact=True)).not_to_be_checked()
    for chosen in ("Bell", "Stars", "Plum", "Fox"):
        page.get_by_role("dialog").get_by_role("radio", name=chosen, exact=True).check()
    page.get_by_role("dialog").get_by_role("button", name="OK", exact=True).click()
    expect(page.locator(".room")).to_have_attribute("data-cloth", "plum")
    expect(page.locator(".board .back.stars").first).to_be_attached()
    assert page.evaluate("JSON.parse(localStorage['stammtisch.sound'])") == "bell"
    drawn = page.locator("img[src$='people.svg#fox']")  # on the own plate, and in the bar
    expect(drawn).to_have_count(2)
    assert [each.evaluate("image => image.decode().then(() => image.naturalWidth > 0)") for each in drawn.all()] == [
        True
    ] * 2
    ben = somebody(browser, server, visitors, "Ben").visit(
        f"player?id={ask(server.url, 'players/me', token=ann.token)['id']}"
    )
    expect(ben.locator(".named img[src$='#fox']")).to_be_visible()
    ask(server.url, "players/me", {"face": "owl"}, ann.token, "PATCH")  # on another device
    expect(ann.visit("player").locator(".bar .me img[src$='#owl']")).to_be_visible()
