"""Pictures of the pages of a running service: `python -m tests.web.screens DIRECTORY [WORD...]`.

A player who chooses at random plays real games against house players. With words, only the pictures whose names contain
all of them are made. Without any argument it writes those of the README and the documentation (`make pictures`).
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import FIRST, Json, Visitor, ask, chromium, now, opened

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
PUBLISHED = {
    "lobby-desktop-light": "web-lobby",
    "table-skyjo-desktop-light": "web-table",
    "table-scout-phone-light": "web-phone",
    "table-replay-desktop-dark": "web-replay",
}
"""The pictures of the documentation, by what they show."""
DOCS = Path(__file__).parents[2] / "docs" / "pictures"

MOVES = 9
"""How many moves a pictured game has seen of the player."""


def played(visitor: Visitor, game: Json, moves: int, seed: int = 4) -> Json:
    """The game after that many random moves of the player, or its end."""
    dice = Random(seed)
    for _ in range(moves):
        if not (legal := now(visitor, game)["legal_moves"]):
            break
        kinds = sorted({move["type"] for move in legal})
        kind = dice.choice([each for each in kinds if each not in {"pass", "end_turn"}] or kinds)
        move = dice.choice([move for move in legal if move["type"] == kind])
        ask(visitor.url, f"games/{game['ruleset']}/{game['id']}/moves", move, visitor.token)
    return now(visitor, game)


def against(visitor: Visitor, ruleset: str, **terms: Any) -> Json:
    """A game against the house, at a table of three where there can be three."""
    seats = RULESETS[ruleset].seats
    return opened(visitor, ruleset, seats=["me", *["careful/1"] * (max(seats[0], min(3, seats[-1])) - 1)], **terms)


def games(url: str, browser: Browser) -> tuple[Visitor, dict[str, Json]]:
    """A player with a game of every ruleset, one that is over and one that waits; somebody else waits, too."""
    ann, ben = Visitor(browser, url, "Anna"), Visitor(browser, url, "Ben")
    found = {name: played(ann, against(ann, name), MOVES) for name in RULESETS}
    found["replay"] = played(ann, against(ann, FIRST, options={"target_points": 30}), 500)
    found["waiting"] = opened(ann, [*RULESETS][2], seats=4, private=True)
    for name in [*RULESETS][:2]:
        opened(ben, name, seats=4)
    played(ben, against(ben, [*RULESETS][3]), 3)
    return ann, found


def screens(page: Page, url: str, found: dict[str, Json]) -> Iterator[str]:
    """Each name is yielded when the page shows what it says."""
    page.goto(url)
    page.wait_for_selector(".games li")
    yield "lobby"
    page.get_by_role("button", name="Open a table").first.click()
    page.wait_for_selector(".opening")
    yield "open"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    yield "settings"
    for name, game in found.items():
        page.goto(f"{url}/table?g={game['ruleset']}/{game['id']}")
        page.wait_for_selector("[data-ready] .rail, .alone, .waitroom")
        if name == "replay":
            page.get_by_role("button", name="Result").click()
            page.wait_for_selector(".finale")
            yield "table-end"
            page.get_by_role("button", name="Replay").click()
            page.get_by_role("slider").fill(str(game["version"] * 2 // 3))
        yield f"table-{name}"
    page.get_by_role("button", name="About").click()
    yield "about"
    for number, name in enumerate(RULESETS):
        page.goto(url)
        page.locator(".game .learn").nth(number).click()
        page.wait_for_selector(".teacher")
        yield f"lesson-{name}"
        page.goto(f"{url}/rules?ruleset={name}")
        page.wait_for_selector(".boxes")
        yield f"rules-{name}"


def pictures(directory: Path, chosen: Callable[[str], str]) -> None:
    """Write those to which `chosen` gives a name."""
    directory.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        Server(Path(folder) / "games.db", rate_limit="off") as server,
    ):
        ann, found = games(server.url, browser)
        ann.visit()
        state = ann.context.storage_state()
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme,  # type: ignore[arg-type]
                    storage_state=state, reduced_motion="reduce", locale="en-US",
                )  # fmt: skip
                for shown in screens(page, server.url, found):
                    if name := chosen(f"{shown}-{size}-{scheme}"):
                        page.wait_for_timeout(700)  # the lamp has moved
                        page.screenshot(path=directory / f"{name}.jpg", type="jpeg", quality=80)
                page.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        words = sys.argv[2:]
        pictures(Path(sys.argv[1]), lambda name: name if all(word in name for word in words) else "")
    else:
        pictures(DOCS, lambda name: PUBLISHED.get(name, ""))
