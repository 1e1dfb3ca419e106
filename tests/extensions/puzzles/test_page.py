"""The puzzle of the day in Chromium: the card in the lobby, the position, a wrong and the right answer, and consent."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import delete

from agents.review.moments import moments
from agents.review.played import of_record
from domain.codec import encode
from domain.fairness import record
from domain.rulesets import RULESETS
from service import databases, settings
from service.extensions.puzzles import table as puzzles
from service.extensions.puzzles.finding import puzzle
from service.extensions.puzzles.kept import kept, today
from service.extensions.puzzles.table import puzzle_games
from service.extensions.puzzles.table import puzzles as table
from tests.golden import folder, read
from tests.support.clients import Server
from tests.web.browsers import Json, Visitor, ask, opened, somebody
from tests.web.measures import inaccessible

RULES = RULESETS["scout"]
WINDOWS = (1280, 800), (844, 390), (360, 640)
SEEN = """(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector(".ask span");
  const { bottom } = document.querySelector(".ask span").getBoundingClientRect();
  return scrollWidth <= clientWidth && scrollHeight <= clientHeight + 1 && bottom <= innerHeight;
})()"""


@pytest.fixture
def shown(server: Server) -> Iterator[Json]:
    """A puzzle of today, and of tomorrow if a test runs at midnight. Its solution is the last legal move."""
    golden, _ = read(RULES, folder(RULES) / "3-seats.jsonl")
    whole = record.of(golden.id, golden.log)
    played = of_record(whole)
    moment = next(each for each in moments(played) if len(each.legal) > 4)
    body = encode(
        kept(puzzle(played, moment, len(moment.legal) - 1, 8.0, 1.0), whole.options, whole.deck.name, 3)
    ).decode()
    engine = databases.projections(settings.read({}, database=server.log.with_suffix(".db")))
    first = date.fromisoformat(today())
    for days in range(2):
        assert puzzles.keep(engine, f"game {days}", body, first + timedelta(days=days)) is not None
    yield ask(server.url, "puzzles/today")
    with engine.begin() as connection:
        connection.execute(delete(table))
        connection.execute(delete(puzzle_games))
    engine.dispose()


def answered(page: Page, number: int) -> None:
    """Make the legal move with this number, from the list of all moves."""
    page.get_by_role("button", name="Moves").click()
    page.locator("#dialogs li button, #dialogs .moves button").nth(number).click()


def test_the_puzzle_of_the_day_is_found_in_the_lobby_and_solved(
    browser: Browser, server: Server, visitors: list[Visitor], shown: Json
) -> None:
    page = somebody(browser, server, visitors).visit()
    page.get_by_role("link", name="Solve it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Puzzle of the day")
    expect(page.locator("main button[data-thing]").first).to_be_visible()
    expect(page.locator(".ask span")).to_have_text("One move is clearly the best. Do you find it?")
    answered(page, 0)
    expect(page.locator(".rail")).to_contain_text("No. The best move is")
    expect(page.locator(".rail")).to_contain_text("4.0 points (3.0 to 5.0)")
    expect(page.locator("main .tag")).not_to_have_count(0)
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SEEN), "the answer with its range is cut off"
    page.get_by_role("button", name="Once more").click()
    answered(page, len(shown["legal_moves"]) - 1)
    expect(page.locator(".rail")).to_contain_text("Right.")
    assert inaccessible(page) == []


@pytest.mark.checked
def test_a_fresh_installation_has_a_puzzle(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    page = somebody(browser, server, visitors, locale="de-DE").visit()
    page.get_by_role("link", name="Lösen").click()
    expect(page.locator("main button[data-thing], .rail .btn").first).to_be_visible()
    expect(page.locator(".ask span")).to_have_text("Ein Zug ist klar der beste. Findest du ihn?")


@pytest.mark.checked
def test_everybody_sees_before_sitting_down_that_a_game_may_become_a_puzzle(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    ann = somebody(browser, server, visitors, "Ann")
    game = opened(ann, puzzles=True)
    bob = somebody(browser, server, visitors, "Bob")
    row = bob.visit().locator(".rows li").filter(has=bob.page.locator(f"a[href$='{game['id']}']"))
    expect(row).to_contain_text("may become a puzzle")
    expect(bob.at(game).locator(".facts-of")).to_contain_text("you agree by sitting down")
