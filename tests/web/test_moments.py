"""A20: the end of a game is a moment that stays, with everything that a player wants to know; and once more."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.rulesets import RULESETS
from tests.support.clients import QUICKEST, Server
from tests.web.browsers import HURRY, Json, Visitor, ask, now, opened, played_out, somebody
from tests.web.measures import inaccessible

MINUS = "\N{MINUS SIGN}"
PHONE = {"viewport": {"width": 390, "height": 844}}


def missing(page: Page, over: Json, names: list[str]) -> list[str]:
    """What the end of the game does not show."""
    winners = [names[seat] for seat in over["result"]["winners"]]
    wanted = {
        ".finale h2": winners if "Ann" not in winners or len(winners) > 1 else ["You win"],
        ".finale p": [r"\d+ points"],
        ".places": [re.escape(str(score).replace("-", MINUS)) for score in over["result"]["scores"]],
        ".rail .ask": ["Once more"],
        ".rail .buttons": ["Share", "Replay", "Once more"],
    }
    page.wait_for_timeout(500)
    found = [
        f"{place}: {text}"
        for place, texts in wanted.items()
        for text in texts
        if page.locator(place).count() == 0 or not re.search(text, page.locator(place).first.inner_text())
    ]
    bars = page.locator(".places .track i").count()
    return found + ([] if bars == len(over["seats"]) else [f"{bars} bars"])


def test_who_has_less_than_nothing_after_a_round_has_no_bar(ann: Visitor) -> None:
    """In SCOUT cards in hand cost points: a player who takes all they can ends below zero. The sheet says what for."""
    ann.page.set_viewport_size(PHONE["viewport"])
    game = opened(ann, "scout", seats=["me", "careful/1", "careful/1", "careful/1"])
    page = ann.at(game)
    while not (rounds := now(ann, game)["view"]["rounds"]):
        if legal := now(ann, game)["legal_moves"]:
            takes = [move for move in legal if move["type"] == "scout" and not move["show"]]
            ask(ann.url, f"games/scout/{game['id']}/moves", (takes or legal)[0], ann.token)
    page.wait_for_selector(".sheet")
    sums = [int(each.replace(MINUS, "-")) for each in page.locator(".sheet .sum").all_inner_texts()]
    assert sums == sorted(rounds[0]["points"], reverse=True)
    assert min(sums) < 0
    bars = page.evaluate(
        "() => [...document.querySelectorAll('.sheet .track')].map((each) => each.lastElementChild.style.width)"
    )
    assert [bar == "0%" for bar in bars] == [each <= 0 for each in sums]
    reckoned = [re.findall(rf"({MINUS} )?(\d+)", each) for each in page.locator(".sheet small").all_inner_texts()]
    assert [sum(-int(count) if minus else int(count) for minus, count in each) for each in reckoned] == sums
    expect(page.locator(".sheet-panel > p").first).to_contain_text(re.compile("· (a hand is empty|nobody has beaten)"))


@pytest.mark.checked
@pytest.mark.planted("A20")
@pytest.mark.by_default(f"[{QUICKEST}]")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_ends_with_its_moment(browser: Browser, server: Server, visitors: list[Visitor], ruleset: str) -> None:
    """It stays until the player goes on; a page that cannot show it is found."""
    ann = somebody(browser, server, visitors, "Ann", bypass_csp=True, **PHONE)
    options = {"target_points": 1} if hasattr(RULESETS[ruleset].options(), "target_points") else {}
    seats = ["me", *["random/1"] * (RULESETS[ruleset].seats[0] - 1)]
    game = opened(ann, ruleset, seats=seats, options=options)
    page = ann.at(game)
    over = played_out(game, ann)
    page.wait_for_selector(".finale")
    names = ["Ann", *(page.locator(".others .name").all_inner_texts())]
    names += [""] * len(seats)
    shown = [*page.locator(".places b").all_inner_texts()]
    assert len(shown) == len(seats)
    names = [next((name for name in shown if name == each), each) for each in names]
    if set(over["result"]["winners"]) != {0}:
        names = ["Ann", *[".+"] * (len(seats) - 1)]
    assert missing(page, over, names) == []
    assert inaccessible(page) == []
    page.emulate_media(media="print", color_scheme="dark")  # a sheet of paper is as narrow as a phone, and white
    style = page.locator(".side").evaluate(
        "(side) => [getComputedStyle(side).position, getComputedStyle(side).colorScheme]"
    )
    assert style == ["static", "light"]
    page.emulate_media(media="screen", color_scheme="light")
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("button", name="Result").click()
    expect(page.locator(".finale")).to_be_visible()
    if ruleset == QUICKEST:
        ann.provokes()
        ann.context.route("**/pages/finale.js", lambda route: route.abort())
        assert missing(ann.at(game), over, names) != []


@pytest.mark.checked
def test_a_new_device_shows_the_end_once(ann: Visitor) -> None:
    """Who opens a finished game in a browser that has never shown it sees the result; after that, the replay."""
    ann.page.set_viewport_size(PHONE["viewport"])
    game = opened(ann, QUICKEST, seats=["me", *["random/1"] * (RULESETS[QUICKEST].seats[0] - 1)])
    played_out(game, ann)
    page = ann.at(game)
    expect(page.locator(".finale")).to_be_visible()
    expect(page.locator(".rail")).to_contain_text("Once more")
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.includes('.seen.'))")
    page.reload()
    expect(page.get_by_role("button", name="Result")).to_be_visible()


@pytest.mark.checked
def test_everybody_is_asked_to_play_once_more(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """The players open the table after the end; one loads it a second time. Both see who asks and who has sat down. One
    sits down, the other declines in the lobby, where the question is a toast."""
    players = [somebody(browser, server, visitors, name, bypass_csp=name == "Eva") for name in ("Ann", "Ben", "Eva")]
    players[2].provokes("404 (Not Found)")
    for player in players:
        player.context.add_init_script(HURRY)
    game = opened(players[0], QUICKEST, seats=3, private=True)
    path = f"games/{QUICKEST}/{game['id']}"
    for player in players[1:]:
        ask(server.url, f"{path}/seats?invite={game['invite']}", {"entropy": ""}, player.token)
    assert played_out(game, *players, most=20)["status"] == "running"
    ben = players[1].at(game)  # the others have not seen the game
    ben.wait_for_function("() => Object.keys(localStorage).some((key) => key.includes('.seen.'))")
    players[1].visit("standings")
    played_out(game, *players)
    ann, ben, eva = (player.at(game) for player in players)
    for page in (ann, ben, eva):
        expect(page.locator(".finale")).to_be_visible()
    ann.get_by_role("button", name="Once more").click()
    ann.wait_for_url(lambda url: game["id"] not in url)
    expect(ann.locator(".roundtable h2")).to_have_text(re.compile("^(Ben and Eva|Eva and Ben) are asked to sit down$"))
    for page in (ben, eva):
        expect(page.locator(".ask strong")).to_have_text("Ann asks: once more?")
        expect(page).to_have_title(re.compile("Once more"))
    ben.get_by_role("button", name="Sit down").click()
    ben.wait_for_url(lambda url: game["id"] not in url)
    expect(eva.locator(".ask span")).to_contain_text("Ben is in")
    lobby = eva.context.new_page()
    lobby.goto(server.url)
    expect(lobby.locator(".tile")).to_contain_text("a chair is kept for you")
    expect(lobby.locator("#toast")).to_contain_text("Once more? Same seats, same rules. Ben and Ann are in.")
    assert inaccessible(lobby, "#toast") == []
    lobby.get_by_role("button", name="No, thanks").click()
    expect(lobby.locator("#toast")).to_have_count(0)
    expect(eva.locator(".ask span")).to_contain_text("You declined")
    again = ask(server.url, f"{path}/rematch", token=players[0].token)
    assert [bool(seat.get("reserved") or seat["player"]) for seat in again["seats"]].count(True) == 2
    # Eva's table may look at the private game just when she gives up her seat: it is not found then.
