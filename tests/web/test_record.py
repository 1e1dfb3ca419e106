"""Records and films in Chromium: files are verified and shown, films without any server; and the badge of a game
that is over."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.codec import encode
from domain.game import Rules, TakenBack
from domain.rulesets import RULESETS, VERSIONS
from service.extensions.films.films import encoded_film
from tests.support.clients import Server
from tests.verifiers import forging, samples
from tests.verifiers.forging import forgeries
from tests.verifiers.samples import plain
from tests.web.browsers import Player, Visitor, ask, now, opened, play, played_out, somebody

Json = dict[str, Any]
FIRST = next(iter(RULESETS.values()))
RIGHT = re.compile("9 of 9")
every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


def some_record(rules: Rules = FIRST) -> bytes:
    return encode(samples.shortest(rules, rules.seats[0]))


def take(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "", "buffer": content})


def ready(visitor: Visitor) -> Page:
    page = visitor.visit("record")
    page.wait_for_selector("[data-ready]")
    expect(page.get_by_text("Everything is loaded")).to_be_visible()
    return page


def drawn(page: Page) -> list[str]:
    """The names of all cards on the table."""
    return page.locator("main .card").evaluate_all(
        "all => all.map((each) => each.getAttribute('aria-label') ?? each.outerHTML)"
    )


@pytest.mark.by_default()  # one plays without a network
@every_ruleset
def test_a_dropped_film_plays_with_the_server_stopped(
    browser: Browser, tmp_path: Path, visitors: list[Visitor], rules: Rules
) -> None:
    film = encoded_film(samples.shortest(rules, rules.seats[0]))
    server = Server(tmp_path / "games.db", rate_limit="off")
    page = ready(somebody(browser, server, visitors))
    server.stop()
    take(page, "game.film.json.gz", gzip.compress(film))
    page.wait_for_selector(".rail.scrub")
    expect(page.locator(".verdict")).to_have_text(RIGHT)
    last = len(json.loads(film)["record"]["events"])
    page.get_by_role("button", name="Last").click()
    expect(page.locator("input[type=range]")).to_have_value(str(last))
    expect(page.locator(".result-line")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".result-line")).to_have_count(0)
    everything = drawn(page)
    page.locator(".eyes-of select").select_option("bystander")
    expect(page.locator(".eyes-of select")).to_have_value("bystander")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert drawn(page) != everything
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => document.querySelector('input[type=range]').value > 12")
    page.locator(".verdict").click()
    expect(page.get_by_role("dialog")).to_contain_text("What was checked")
    page.get_by_role("dialog").get_by_role("button", name="OK", exact=True).click()
    page.get_by_role("button", name="Another file").click()
    expect(page.locator(".drop")).to_be_visible()


@pytest.mark.by_default()
def test_a_verifier_that_cannot_be_loaded_is_said_and_tried_again(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    visitor = somebody(browser, server, visitors)
    visitor.provokes("ERR_FAILED")
    visitor.context.route("**/worker.js", lambda route: route.abort())
    page = visitor.visit("record")
    page.wait_for_selector("[data-ready]")
    expect(page.get_by_text("Everything is loaded")).to_have_count(0)
    take(page, "game.json", some_record())
    expect(page.locator(".proof")).to_contain_text("could not be loaded")
    visitor.context.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name=RIGHT)).to_be_visible()


def test_a_dropped_record_is_verified_and_its_log_shown(guests: Callable[[str], Visitor]) -> None:
    page = ready(guests(""))
    text = some_record()
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'game.json')); return data; }",
        text.decode(),
    )
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})
    expect(page.get_by_role("heading", name=RIGHT)).to_be_visible()
    expect(page.locator(".plain-log")).to_contain_text("turns up")
    [_] = json.loads(text)["result"]["winners"]
    expect(page.locator("p b").filter(has_text=re.compile(r" wins$"))).to_be_visible()
    forged: Json = json.loads(text)
    forged["events"][6]["at"] = "2020-01-01T00:00:00.000000Z"
    take(page, "forged.json", json.dumps(forged).encode())
    expect(page.locator(".check.wrong")).to_have_count(2)
    page.locator(".check.wrong summary").first.click()
    expect(page.locator(".check.wrong").first).to_contain_text("ersion 7")
    expect(page.get_by_role("button", name="Show the table")).to_have_count(0)


@pytest.mark.by_default()
def test_the_table_of_a_record_plays(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """The service makes the film of a record for who is signed in; the table goes back where a move was taken back."""
    page = ready(somebody(browser, server, visitors))
    visitors[-1].provokes("404")
    whole = samples.with_undo(FIRST)["free"]
    take(page, "game.json", encode(whole))
    expect(page.locator(".check.wrong")).to_have_count(0)
    page.get_by_role("button", name="Show the table").click()
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="OK", exact=True).click()
    page.wait_for_selector(".rail.scrub", timeout=60_000)
    back = next(entry for entry in whole.events if isinstance(entry.event, TakenBack))
    tables = []
    for version in (back.event.to, back.version - 1, back.version):
        page.locator("input[type=range]").fill(str(version))
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tables.append(drawn(page))
    assert tables[0] == tables[2] != tables[1]


@pytest.mark.by_default()
def test_the_table_of_a_game_that_the_service_knows_plays_for_anybody(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = ask(server.url, "players", {"name": "Ann"})["token"]
    seats = ["me", *["random/1"] * (FIRST.seats[0] - 1)]
    game = ask(server.url, f"games/{FIRST.name}", {"seats": seats, "options": {"target_points": 1}}, ann)
    path = f"games/{FIRST.name}/{game['id']}"
    ask(server.url, f"{path}/seats/0?running=true", None, ann, "DELETE")
    record = json.dumps(ask(server.url, f"{path}/record")).encode()
    page = ready(somebody(browser, server, visitors))
    take(page, "game.json", record)
    page.get_by_role("button", name="Show the table").click()
    page.wait_for_selector(".rail.scrub")


UNUSABLE = (
    (b"{", "neither a record nor a film"),
    (b"\xff\xfe", "neither"),
    (gzip.compress(b"[]"), "neither"),
    (b"\x1f\x8b\x00", "neither"),
    (b'{"format": "stammtisch-record/1"}', "damaged"),
    (b'{"format": "stammtisch-film/1", "record": {}}', "damaged"),
)


@pytest.mark.by_default()
def test_other_files_are_refused(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    page = ready(somebody(browser, server, visitors))
    for content, said in UNUSABLE:
        take(page, "game.json", some_record())  # it goes on after each of them
        expect(page.get_by_role("heading", name=RIGHT)).to_be_visible()
        take(page, "file", content)
        expect(page.locator("main").get_by_role("alert").filter(has_text=said)).to_be_visible()


@pytest.mark.by_default()
def test_a_film_whose_views_do_not_fit_is_refused(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    film: Json = json.loads(encoded_film(samples.shortest(FIRST, FIRST.seats[0])))
    film["perspectives"]["all"][9]["patch"] = [{"op": "remove", "path": "/nowhere/7"}]
    page = ready(somebody(browser, server, visitors))
    visitors[-1].provokes("warning")
    take(page, "film.json", json.dumps(film).encode())
    expect(page.get_by_role("alert").filter(has_text="damaged").first).to_be_visible()


@pytest.mark.checked
def test_a_film_plays_without_a_network(browser: Browser, tmp_path: Path, visitors: list[Visitor]) -> None:
    """The service worker keeps the pages and their files, and nothing of `/v1`."""
    server = Server(tmp_path / "games.db", rate_limit="off")
    page = ready(somebody(browser, server, visitors, service_workers="allow"))
    visitors[-1].provokes("ERR_CONNECTION_REFUSED")
    page.evaluate("navigator.serviceWorker.ready")
    kept = page.evaluate(
        "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(({ url }) => url))"
    )
    assert len(kept) > 50
    assert not any("/v1" in url for url in kept)
    server.stop()
    page.goto(f"{server.url}/")  # as the installed app starts
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    page.goto(f"{server.url}/record")
    page.wait_for_selector("[data-ready]")
    take(page, "film.json", encoded_film(samples.shortest(FIRST, FIRST.seats[0])))
    page.wait_for_selector(".rail.scrub")
    expect(page.locator(".verdict")).to_have_text(RIGHT)
    assert page.evaluate("fetch('v1/games').then(() => 'answered', () => 'refused')") == "refused"


# --- the badge of a finished game: what the verifier finds in the browser -------------------------------------------

RULES = list(VERSIONS.values())

VERIFIED = """async ([text, head]) => {
  const base = document.querySelector("script[type=module]").src.replace(/pages.*/, "");
  return await (await import(`${base}pages/proof.js`)).verified(text, head);
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of the service, with its policy."""
    visitor = Visitor(browser, server.url, drawn=False)
    yield visitor.visit()
    visitor.assert_content()
    visitor.close()


def wrong(page: Page, record: Json, head: str | None = None) -> list[str]:
    checks = page.evaluate(VERIFIED, [json.dumps(record), head])
    assert checks
    return [check["name"] for check in checks if check["ok"] is not True]


@pytest.mark.by_default("scout/1")
@pytest.mark.parametrize("rules", RULES, ids=list(VERSIONS))
def test_records_are_right_and_every_forgery_is_found(page: Page, rules: samples.Rules) -> None:
    original = plain(samples.shortest(rules, rules.seats[0]))
    assert wrong(page, original, samples.heads(original)[5]) == []
    assert wrong(page, original, "0" * 64) == ["receipt"]
    made = forgeries(original, Random(7), len(forging.DEEDS))
    assert [deed for deed, forged in made if not wrong(page, forged)] == []
    assert page.evaluate(VERIFIED, ["{", None])[0]["ok"] is False


def against_the_house(visitor: Visitor | Player) -> Json:
    return opened(visitor, FIRST.name, seats=["me", "random/1"], options={"target_points": 1})


@pytest.fixture(scope="module")
def over(server: Server) -> Json:
    """A finished game with a house player."""
    ann = Player(server.url, "Ann")
    return played_out(against_the_house(ann), ann)


@pytest.mark.checked
def test_the_badge_is_of_the_game_that_this_browser_saw(ann: Visitor) -> None:
    """Played to its end by clicks."""
    game = against_the_house(ann)
    play(ann.at(game), Random(2))
    expect(ann.page.locator(".proof.right")).to_contain_text(f"contains version {now(ann, game)['version']}")


def tampered(route: Route) -> None:
    """The head is another one."""
    record = route.fetch().json()
    record["head"] = "0" * 64
    route.fulfill(json=record)


def test_the_badge_and_what_it_does_not_show(guests: Callable[[str], Visitor], over: Json) -> None:
    """Each check unfolds. Choices of house players are not checked here; the server's word is marked as such."""
    page = guests("").at(over)
    proof = page.get_by_role("region", name="Proof of the deal")
    checks = proof.locator(".check")
    expect(proof).to_contain_text("10 of 10 checked in your browser")
    expect(proof).to_contain_text("saw nothing of the game before")
    expect(proof).to_contain_text("not checked here, checked by stammtisch verify")
    proof.get_by_text("What was checked").click()
    assert checks.count() == 10
    checks.last.locator("summary").click()
    expect(checks.last).to_contain_text("the last head that this browser kept")
    proof.get_by_role("button", name="What does the server say").click()
    expect(proof).to_contain_text("The server speaks for itself")
    expect(proof.locator(".check").last).to_contain_text("House players chose as published")


@pytest.mark.checked
def test_a_forged_record_is_said(browser: Browser, server: Server, visitors: list[Visitor], over: Json) -> None:
    """In German; without a secure context the page says that it cannot check."""
    visitor = somebody(browser, server, visitors, locale="de-DE")
    visitor.context.route("**/record", tampered)
    page = visitor.at(over)
    expect(page.locator(".proof.wrong")).to_contain_text("Das Protokoll ist falsch")
    expect(page.locator(".check.wrong").first).to_be_visible()
    other = somebody(browser, server, visitors)
    other.context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    expect(other.at(over).locator(".proof")).to_contain_text("only over HTTPS")
