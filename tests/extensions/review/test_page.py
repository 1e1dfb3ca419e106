"""The review on the page of a finished game, in Chromium: progress, a first answer, the final one, marks, and what if.

The document is made here, about moves that were made, so that the test need not weigh a game.
"""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.clients import Server
from tests.web.browsers import FIRST, LEGAL, Json, Visitor, ask, now, opened, played_out, somebody
from tests.web.measures import inaccessible

WINDOWS = {"1920": (1920, 1080), "1280": (1280, 800), "844": (844, 390), "390": (390, 844), "360": (360, 640)}


@pytest.fixture(scope="module")
def over(browser: Browser, server: Server) -> Iterator[tuple[Visitor, Json, Json]]:
    """A finished game of Ann against a house player, and its record."""
    ann = Visitor(browser, server.url, "Ann", drawn=False)
    game = opened(ann, FIRST, seats=["me", "random/1"], options={"target_points": 1})
    over = played_out(game, ann)
    yield ann, over, ask(server.url, f"games/{FIRST}/{game['id']}/record", token=ann.token)
    ann.close()


def document(record: Json, state: str) -> Json:
    """A review of that game: two claims of Ann, one of the other seat, and one choice that is too close to tell."""
    moves = [each for each in record["events"] if each.get("move", {}).get("type") == "flip"]
    own, other = ([each for each in moves if each["by"] == seat] for seat in (0, 1))
    account = {"result": -3.0, "luck": 1.5, "errors": -6.5, "finds": 0.5, "others": 1.5, "error": 1.1}
    accounts = [account, {"result": 3.0, "luck": -1.5, "errors": 0.0, "finds": 1.5, "others": 3.0, "error": 1.1}]

    def choice(entry: Json, loss: float, category: str = "") -> Json:
        found = {
            "version": entry["version"], "round": 0, "seat": entry["by"], "made": entry["move"], "loss": loss,
            "best": entry["move"] | {"slot": 11 - entry["move"]["slot"]}, "error": 0.5, "worlds": 64,
            "expected": -1.0, "as_house": False, "hinted": False, "refined": True,
        }  # fmt: skip
        return found | ({"category": category} if category and state == "final" else {})

    return {
        "format": "stammtisch-review/1", "state": state, "head": record["head"], "rules": record["rules"],
        "plan": "standard", "house": "careful/1", "thresholds": [1, 2, 4], "accounts": accounts,
        "rounds": [{"accounts": accounts, "curves": [[point(9, 1.0), point(0, -3.0)]] * 2}],
        "choices": [choice(own[0], 5.0, "blunder"), choice(own[1], 2.0, "mistake"), choice(other[0], 4.0, "blunder")],
        "unweighed": [], "means": [],
    }  # fmt: skip


def point(version: int, expected: float) -> Json:
    return {"version": version, "expected": expected, "luck": 0.5}


class Reviews:
    """Answers in place of the service, one after another; the last one again and again."""

    def __init__(self, record: Json, *states: str) -> None:
        self.record, self.states, self.asked = record, [*states], 0

    def __call__(self, route: Route) -> None:
        self.asked += 1
        state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
        if state == "pending":
            progress = {"phase": "first", "done": self.asked, "all": 9}
            pending = {"state": "pending", "progress": progress, "place": 0, "wait": 3}
            route.fulfill(status=202, json=pending, headers={"Retry-After": "1"})
        elif state in ("503", "429"):
            body = {"type": "unavailable" if state == "503" else "too-many-requests", "title": "", "status": int(state)}
            route.fulfill(
                status=int(state), body=json.dumps(body), content_type="application/problem+json",
                headers={"Retry-After": "1"},
            )  # fmt: skip
        else:
            route.fulfill(json=document(self.record, state), headers={"Retry-After": "1"})


def reviewed(visitor: Visitor, game: Json, reviews: Reviews, button: str = "Review the game") -> Page:
    visitor.context.route(re.compile("/review$"), reviews)
    page = visitor.at(game)
    page.get_by_role("button", name=button).click()
    return page


@pytest.mark.checked
def test_a_review_goes_from_progress_to_marks_and_what_if(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json]
) -> None:
    ann, game, record = over
    visitor = somebody(browser, server, visitors)
    visitor.context.add_init_script(f"localStorage.setItem('stammtisch.identity', {json.dumps(identity(ann, record))})")
    page = reviewed(visitor, game, Reviews(record, "pending", "pending", "first", "first", "final"))
    panel = page.locator(".review")
    expect(panel.get_by_role("progressbar")).to_be_visible()
    before = panel.bounding_box()
    expect(panel).to_contain_text("A first answer", timeout=60_000)
    expect(panel).not_to_contain_text(re.compile("blunder|mistake|inaccuracy", re.IGNORECASE))
    assert panel.bounding_box() == before  # nothing jumps
    expect(panel).to_contain_text("Blunder", timeout=60_000)
    sentences = panel.locator(".moments").first.locator("a").all_inner_texts()
    assert len(sentences) == 2
    assert all(re.search(r"cost \d\.\d points \(\d\.\d to \d\.\d\)", each) for each in sentences)
    expect(panel.get_by_text("1 choice of others")).to_be_visible()
    panel.get_by_text("Figures", exact=True).click()
    expect(panel.get_by_role("row").nth(1)).to_contain_text("± 2.2")
    page.get_by_role("button", name="Replay").click()
    page.wait_for_selector(".losses a")
    marks = page.locator(".losses a")
    assert {each.get_attribute("class").split()[0] for each in marks.all()} == {"h2", "h3"}
    version = document(record, "final")["choices"][0]["version"] - 1
    mark = page.locator(f'.losses a[href="#v={version}&as=0"]')
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".moment-line")).to_contain_text("Best found: ")
    assert page.url.endswith(f"#v={version}&as=0")
    expect(page.locator(".card.made")).to_have_count(1)
    expect(page.locator(".card.better")).to_have_count(1)
    expect(page.locator(".card.better")).to_have_accessible_name(re.compile("better$"))
    page.get_by_role("button", name="What if?").click()
    page.wait_for_url(lambda url: game["id"] not in url)
    assert page.url.endswith("&if=0")
    branch = ask(server.url, f"games/{page.url.partition('g=')[2].partition('&')[0]}", token=ann.token)
    events = ask(server.url, f"games/{FIRST}/{branch['id']}/events?limit=500&as=all", token=ann.token)["items"]
    assert branch["parent"]["at"] == version
    made = [each["event"] for each in events if each["version"] > version][-1]
    assert made["seat"] == 0
    # The banner says whose seat it is; the other cards stay hidden, and the house moves by itself.
    banner = page.locator(".moment-line")
    expect(banner).to_contain_text("What if? You play in place of Ann, the house plays the others.")
    expect(page.locator("main")).not_to_contain_text("Ann 2")
    box, plate = banner.bounding_box(), page.locator(".others .plate").bounding_box()
    assert box
    assert plate
    assert box["y"] + box["height"] <= plate["y"]  # it stays for the whole game, and hides nobody
    made_by_house(page, server, ann, branch)
    expect(page.locator(f"{LEGAL}, .rail .btn.main").first).to_be_visible()
    page.reload()
    banner.get_by_role("link", name="Back to the review").click()
    page.wait_for_url(f"**/table?g={FIRST}/{game['id']}#v={version}&as=0")
    expect(page.locator(".moment-line")).to_contain_text("Best found: ")
    page.goto(server.url)
    expect(page.locator(".games .game").first).to_be_visible()
    expect(page.locator(".yours")).to_have_count(0)
    assert ask(server.url, "games?acting=me", token=ann.token)["items"] == []
    visitor.assert_content()


def made_by_house(page: Page, server: Server, ann: Visitor, branch: Json) -> None:
    """Moves for seat 0 over the API until the page has moved for the other seat."""
    path = f"games/{FIRST}/{branch['id']}"
    for _ in range(40):
        events = ask(server.url, f"{path}/events?limit=500&as=all", token=ann.token)["items"]
        if any(each["by"] == 1 and each["version"] > branch["version"] for each in events):
            return
        now = ask(server.url, f"{path}?as=0", token=ann.token)
        if now["legal_moves"] and 0 in now["to_act"]:
            ask(server.url, f"{path}/moves?as=0", now["legal_moves"][0], token=ann.token)
        page.wait_for_timeout(300)
    raise AssertionError("the house has not moved")


@pytest.mark.checked
def test_own_mistakes_come_back_as_exercises_until_the_better_move_is_found(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json]
) -> None:
    ann, game, record = over
    visitor = somebody(browser, server, visitors)
    visitor.settle("Ann")
    visitor.page.evaluate(f"localStorage.setItem('stammtisch.identity', {json.dumps(identity(ann, record))})")
    page = reviewed(visitor, game, Reviews(record, "final"))
    expect(page.locator(".review")).to_contain_text("Blunder")
    page.goto(f"{server.url}/player")
    practice = page.get_by_role("link", name="Try again")
    expect(practice).to_have_count(2)  # those of the other seat are not one's own
    practice.last.click()
    expect(page.locator(".ask span")).to_have_text("You missed something here. What is better?")
    best = document(record, "final")["choices"][0]["best"]["slot"]
    for slot, answer in ((best - 1 if best else 1, "The review found"), (best, "Right.")):
        page.locator(f'[data-thing="layouts/0/{slot}"]').click()
        expect(page.locator(".ask")).to_contain_text(answer)
        expect(page.locator(".ask")).to_contain_text("5.0 points")
        page.get_by_role("button", name="Once more").click()
    page.goto(f"{server.url}/player")
    expect(practice).to_have_count(1)


@pytest.mark.checked
def test_only_a_player_who_has_lost_is_asked_where(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json]
) -> None:
    ann, game, _ = over

    def won(seats: tuple[int, ...], route: Route) -> None:
        found = route.fetch().json()
        route.fulfill(json=found | {"result": found["result"] | {"winners": seats}})

    for seats, title in (((1,), "Where did I lose it?"), ((0, 1), "What decided it?")):
        ann.context.route(re.compile(f"/games/{FIRST}/{game['id']}([?]|$)"), partial(won, seats))
        expect(ann.at(game).get_by_role("region", name=title)).to_be_visible()
    bystander = somebody(browser, server, visitors).at(game)
    expect(bystander.get_by_role("region", name="What decided it?")).to_be_visible()


def identity(visitor: Visitor, record: Json) -> str:
    [[player, name]] = record["names"].items()
    return json.dumps({"token": visitor.token, "id": player, "name": name})


@pytest.mark.checked
@pytest.mark.by_default("[de]")
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_review_fits_every_window_and_is_accessible(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json], language: str
) -> None:
    _, game, record = over
    visitor = somebody(browser, server, visitors, locale={"en": "en-GB", "de": "de-DE"}[language])
    visitor.context.route(re.compile("/review$"), Reviews(record, "final"))
    page = visitor.at(game)
    page.locator(".review .btn").click()
    page.wait_for_selector(".losses a")
    page.locator(".losses a").first.click(force=True)
    page.wait_for_selector(".moment-line")
    for width, height in WINDOWS.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth && scrollY === 0")
        box = page.locator(".moment-line").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] < height / 2
        assert page.locator(".card.better, .card.made").count() >= 1
    for width, height in (WINDOWS["1280"], WINDOWS["390"]):
        page.set_viewport_size({"width": width, "height": height})
        assert inaccessible(page) == []
    visitor.assert_content()


@pytest.mark.by_default()
def test_a_review_that_fails_is_asked_for_again_and_said(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json]
) -> None:
    """Busy once: the page asks again by itself. Twice: it says so and has a button."""
    _, game, record = over
    visitor = somebody(browser, server, visitors)
    visitor.provokes()
    reviews = Reviews(record, "503", "503", "final")
    page = reviewed(visitor, game, reviews)
    expect(page.locator(".review .wrong")).to_contain_text("could not be made")
    page.locator(".review").get_by_role("button", name="Review the game").click()
    expect(page.locator(".review")).to_contain_text("Blunder")
    assert reviews.asked == 3


@pytest.mark.by_default()
def test_a_service_without_reviews_has_no_panel(browser: Browser, tmp_path: Any, visitors: list[Visitor]) -> None:
    server = Server(tmp_path / "games.db", rate_limit="off", review="off")
    ann = somebody(browser, server, visitors, "Ann")
    game = opened(ann, FIRST, seats=["me", "random/1"], options={"target_points": 1})
    played_out(game, ann)
    page = ann.at(game)
    page.wait_for_selector(".proof.right")
    assert page.locator(".review").count() == 0
    assert not [url for url in ann.asked if url.endswith("review.js")]
    server.stop()


def test_the_mean_of_the_own_choices_is_on_the_own_page(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[Visitor, Json, Json]
) -> None:
    """With its range, and how many games are missing; the button asks until nothing is pending."""
    ann, _, record = over
    visitor = somebody(browser, server, visitors)
    visitor.context.add_init_script(f"localStorage.setItem('stammtisch.identity', {json.dumps(identity(ann, record))})")
    mean = {"games": 12, "choices": 240, "loss": 0.5, "loss_half": 0.1, "own": -3.2, "own_half": 1.4}
    few = {"ruleset": FIRST, "finished": 12, "reviewed": 3, "pending": 0}

    def answer(route: Route) -> None:
        asked = route.request.method == "POST"
        route.fulfill(json=few | ({"reviewed": 12, "mean": mean} if asked else {}))

    visitor.context.route(re.compile(f"/players/me/reviews/{FIRST}$"), answer)
    page = visitor.visit("player")
    section = page.locator("#means")
    expect(section).to_contain_text("3 of 10 games reviewed")
    section.get_by_role("button", name="Review my games").click()
    expect(section).to_contain_text("\N{MINUS SIGN}3.2 points a game (± 1.4), in 12 games")
    assert inaccessible(page) == []
    visitor.assert_content()


@pytest.mark.checked
def test_a_hint_is_marked_and_read_out_and_the_log_says_so(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    """By the key. What the service says is asked for before, so that the page need not wait for it."""
    ann = somebody(browser, server, visitors, "Ann")
    game = opened(ann, "scout", seats=["me", "careful/1", "careful/1"], hints=True)
    found = ask(server.url, f"games/scout/{game['id']}/hints", {}, ann.token, "POST")
    page = ann.at(game)
    button = page.get_by_role("button", name="Hint", exact=True)
    expect(button).to_be_enabled()
    expect(page.locator(".log")).to_contain_text("asks for a hint")
    page.locator("body").press("h")
    expect(page.locator(".moment-line.hint")).to_contain_text("Either is fine" if len(found["moves"]) > 1 else "“")
    page.set_viewport_size({"width": WINDOWS["390"][0], "height": WINDOWS["390"][1]})
    assert inaccessible(page) == []
    ask(server.url, f"games/scout/{game['id']}/moves", now(ann, game)["legal_moves"][0], ann.token)
    expect(page.locator(".moment-line.hint")).to_have_count(0)
    # The figures are of `against`, also if a third move is too close to tell.
    figures = {"seat": 0, "version": now(ann, game)["version"], "ahead": 4.0, "error": 0.5, "worlds": 24}
    first, close, worse = ({"type": "show", "start": start, "count": 1} for start in range(3))
    told = figures | {"moves": [first, close], "against": worse}
    page.route("**/hints", lambda route: route.fulfill(json=told))
    page.locator("body").press("h")
    line = page.locator(".moment-line.hint")
    expect(line).to_contain_text("Better than “Show the ")
    expect(line).to_contain_text("by 4.0 points (3.0 to 5.0)")
    other = opened(ann, "scout", seats=["me", "careful/1", "careful/1"])
    page = ann.at(other)
    expect(page.locator(".rail .ask")).to_be_visible()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
