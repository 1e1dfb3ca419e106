"""Pictures of the pages of a running service: `python -m tests.web.screens DIRECTORY [WORD...]`.

Real games against house players, and between people: the lobby, how a table is opened and joined, the moments of a game
and its end, in five windows and both languages, in names as `missed-390-de`. With words, only the pictures whose names
contain all of them are made. Without any argument those of the README and the documentation are made (`make pictures`).
The hard states of the five games are in `pictures.py`.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import FIRST, LEGAL, Json, Visitor, ask, chromium, now, opened, played_out
from tests.web.cable import Cable
from tests.web.pictures import SIZES

PUBLISHED = {
    "lobby-1280": "web-lobby",
    "table-skyjo-1280": "web-table",
    "table-scout-390": "web-phone",
    "replay-1280-dark": "web-replay",
}
"""The pictures of the documentation, by what they show."""
DOCS = Path(__file__).parents[2] / "docs" / "pictures"

MOVES = 9
"""How many moves a pictured game has seen of the player."""

SLOW = 240_000
"""Milliseconds: the machine may be busy."""


def move(visitor: Visitor, game: Json, made: Json) -> None:
    ask(visitor.url, f"games/{game['ruleset']}/{game['id']}/moves", made, visitor.token)


def legal_moves(visitor: Visitor, game: Json) -> list[Json]:
    """Those of the player, once house players have moved; none: another person is to act, or the game is over."""
    while True:
        seen = now(visitor, game)
        acting = {seat["seat"] for seat in seen["seats"] if seat.get("bot")} & {*seen["to_act"]}
        if seen["legal_moves"] or seen["status"] != "running" or not acting:
            found: list[Json] = seen["legal_moves"]
            return found
        time.sleep(0.05)


def played(visitor: Visitor, game: Json, moves: int, until: Callable[[], bool] = lambda: False) -> Json:
    """The game after that many random moves of the player, or its end."""
    dice = Random(4)
    for _ in range(moves):
        if until() or not (legal := legal_moves(visitor, game)):
            break
        kinds = sorted({move["type"] for move in legal})
        kind = dice.choice([each for each in kinds if each not in {"pass", "end_turn"}] or kinds)
        move(visitor, game, dice.choice([move for move in legal if move["type"] == kind]))
    return now(visitor, game)


def against(visitor: Visitor, ruleset: str, bot: str = "careful/1", **terms: Any) -> Json:
    """A game against the house, at a table of three where there can be three."""
    seats = RULESETS[ruleset].seats
    return opened(visitor, ruleset, seats=["me", *[bot] * (max(seats[0], min(3, seats[-1])) - 1)], **terms)


class House:
    """Those who are pictured, each with a browser in the language of the pictures."""

    def __init__(self, browser: Browser, url: str, tongue: str) -> None:
        self.browser, self.url, self.locale = browser, url, {"en": "en-US", "de": "de-DE"}[tongue]
        self.people: list[Visitor] = []
        self._ann: Visitor | None = None

    def visitor(self, name: str = "", **context: Any) -> Visitor:
        self.people.append(Visitor(self.browser, self.url, name, locale=self.locale, **context))
        self.people[-1].page.set_default_timeout(SLOW)
        return self.people[-1]

    def ann(self) -> Visitor:
        """A player with a game of every ruleset; somebody else waits, too."""
        if self._ann is None:
            self._ann, ben = self.visitor("Anna"), self.visitor("Ben")
            self.games = {name: played(self._ann, against(self._ann, name), MOVES) for name in RULESETS}
            for name in [*RULESETS][:2]:
                opened(ben, name, seats=4)
            played(ben, against(ben, [*RULESETS][3]), 3)
        self._ann.page.set_viewport_size({"width": 1280, "height": 800})  # as if nothing had been pictured
        return self._ann

    def pair(self, **terms: Any) -> tuple[Visitor, Visitor, Json]:
        """Two people at a table of the first ruleset."""
        ann, ben = self.visitor("Anna", reduced_motion="no-preference"), self.visitor("Chiara")
        game = opened(ann, **terms)
        ask(ben.url, f"games/{game['ruleset']}/{game['id']}/seats", {"seat": 1}, ben.token)
        return ann, ben, game

    def over(self) -> tuple[Visitor, Visitor, Json]:
        """A short game that ends while Ann looks at it."""
        ann, ben, game = self.pair(options={"target_points": 1})
        page = ann.at(game)
        played_out(game, ann, ben)
        page.wait_for_selector(".finale")
        return ann, ben, game


def lobby(house: House) -> Page:
    page = house.ann().visit()
    page.wait_for_selector(".tile svg")
    return page


def newcomer(house: House) -> Page:
    page = house.visitor().visit()
    page.wait_for_selector(".games li")
    return page


def table_opens(house: House) -> Page:
    page = lobby(house)
    page.locator(".hero .btn.quiet").click()
    page.wait_for_selector(".opening")
    return page


def settings(house: House) -> Page:
    page = house.ann().at(house.games[FIRST])
    page.locator("button.user").click()
    page.wait_for_selector("dialog[open]")
    return page


def about(house: House) -> Page:
    page = house.ann().at(house.games[FIRST])
    page.locator(".bar .tool:has(.icon)").last.click()
    page.wait_for_selector("dialog[open]")
    return page


def waiting(house: House) -> Page:
    page = house.ann().at(opened(house.ann(), "scout", seats=4, private=True))
    page.wait_for_selector(".code svg")
    return page


def invited(house: House) -> Page:
    ann = house.visitor("Anna")
    game = opened(ann, "scout", seats=4, private=True)
    page = house.visitor().visit(f"table?g=scout/{game['id']}#invite={game['invite']}")
    page.wait_for_selector(".guest")
    return page


def rules(house: House) -> Page:
    page = house.visitor().visit(f"rules?ruleset={FIRST}")
    page.wait_for_selector(".boxes")
    return page


def standings(house: House) -> Page:
    page = house.visitor().visit(f"standings?ruleset={FIRST}")
    page.wait_for_selector(".people h1, .people h2")
    return page


def profile(house: House) -> Page:
    ann = house.ann()
    me = ask(ann.url, "players/me", token=ann.token)
    page = ann.visit(f"player?id={me['id']}")
    page.wait_for_selector(".people h1, .people h2")
    return page


def guide(house: House) -> Page:
    page = house.visitor("Anna").visit()
    page.locator(".game .learn").first.click()
    page.wait_for_selector(".teacher")
    return page


def table(name: str) -> Callable[[House], Page]:
    def shown(house: House) -> Page:
        return house.ann().at(house.games[name])

    return shown


def house_moves(house: House) -> Page:
    """The moves of the house at their slowest pace: the rail names the deed."""
    ann = house.visitor("Anna", reduced_motion="no-preference")
    ann.context.add_init_script("localStorage['stammtisch.pace'] = '1600'")
    game = played(ann, against(ann, FIRST), 4)
    page = ann.at(game)
    legal = legal_moves(ann, game)
    page.wait_for_selector(".table [data-thing].legal, .rail .btn")
    while not (found := [each for each in legal if each["type"] in {"swap", "flip"}]):
        move(ann, game, legal[0])
        legal = legal_moves(ann, game)
    move(ann, game, found[0])
    page.wait_for_selector(".others .turn")
    page.wait_for_selector(".others .deed span")
    return page


def round_end(house: House) -> Page:
    ann = house.visitor("Anna")
    page = ann.at(game := against(ann, FIRST, "easy/1"))
    played(ann, game, 400, until=lambda: now(ann, game)["view"]["round"] > 1)
    page.wait_for_selector(".sheet")
    return page


def game_end(house: House) -> Page:
    ann, _, _ = house.over()
    return ann.page


def rematch(house: House) -> Page:
    ann, ben, game = house.over()
    ask(ben.url, f"games/{FIRST}/{game['id']}/rematch", {}, ben.token, "POST")
    ann.page.wait_for_function("() => document.title.startsWith('●')")
    return ann.page


def replay(house: House) -> Page:
    ann, _, _ = house.over()
    ann.page.locator(".rail .btn").nth(1).click()
    ann.page.get_by_role("slider").fill("60")
    return ann.page


def mine(house: House) -> Page:
    """The own page, with a game that is over."""
    ann, _, _ = house.over()
    me = ask(ann.url, "players/me", token=ann.token)
    page = ann.visit(f"player?id={me['id']}")
    page.wait_for_selector(".latest li")
    return page


def hint(house: House) -> Page:
    ann = house.visitor("Anna")
    page = ann.at(against(ann, FIRST, hints=True))
    page.wait_for_selector(LEGAL)
    page.keyboard.press("h")
    page.wait_for_selector(".moment-line.hint")
    return page


def asked_again(house: House) -> Page:
    """A move that the user wants to be asked of."""
    ann = house.visitor("Anna")
    ann.context.add_init_script("localStorage['stammtisch.confirm'] = JSON.stringify('always')")
    page = ann.at(against(ann, FIRST))
    page.locator(LEGAL).first.click()
    page.wait_for_selector(".rail .yes")
    return page


def ends(house: House) -> Page:
    """What is asked before a game against the house ends."""
    page = about(house)
    page.locator("button[value=end]").click()
    page.wait_for_selector("dialog[open] .ends .main")
    return page


def unshared(house: House) -> Page:
    """What is asked before others can see a game against the house."""
    ann = house.visitor("Anna")
    game = against(ann, FIRST, "easy/1", options={"target_points": 1}, private=True)
    page = ann.at(game)
    played_out(game, ann)
    page.locator(".finale").wait_for()
    page.locator(".rail .btn").first.click()
    page.wait_for_selector("dialog[open]")
    return page


def quick(house: House) -> Page:
    page = house.visitor("Anna").visit()
    page.locator(".games .quick").first.click()
    page.wait_for_selector(".code svg, .waitroom")
    return page


def day(house: House) -> Page:
    page = house.visitor("Anna").visit("day")
    page.wait_for_selector("h1")
    return page


def unloaded(house: House) -> Page:
    """A part of the page does not come."""
    page = house.ann().at(house.games[FIRST])
    page.route("**/pages/dialogs.js", lambda route: route.abort())
    page.locator(".bar .tool:has(.icon)").last.click()
    page.locator("[role=alert] button").first.wait_for()
    page.unroute("**/pages/dialogs.js")
    return page


def paper(house: House) -> Page:
    page = game_end(house)
    page.emulate_media(media="print")
    return page


def missed(house: House) -> Page:
    ann, ben, game = house.pair()
    ann.at(game)
    ann.visit()
    for slot in (3, 4):
        move(ben, game, {"type": "flip", "slot": slot})
    ann.at(game)
    ann.page.wait_for_selector(".rail .btn.main")
    return ann.page


def offline(house: House) -> Page:
    """The network is cut, and a move is kept."""
    ann, _, game = house.pair()
    network = Cable(ann.url)
    ann.url = network.url
    page = ann.at(game)
    page.wait_for_selector(LEGAL)
    network.down = True
    network.cut()
    page.wait_for_selector(".offline", state="attached")
    page.locator(LEGAL).first.click()
    page.wait_for_selector(".rail.busy")
    return page


def curtain(house: House) -> Page:
    ann = house.visitor("Anna")
    page = ann.at(opened(ann, "scout", seats=3, hotseat=True))
    page.wait_for_selector(".curtain .btn")
    return page


def says(house: House) -> Page:
    ann, ben, game = house.pair()
    page, other = ann.at(game), ben.at(game)
    other.locator(".tool.speech").click()
    page.wait_for_timeout(500)
    other.locator("dialog button").nth(1).click()
    page.wait_for_selector(".bubble")
    page.evaluate("window.setTimeout = () => 0")  # it stays
    return page


def log(house: House) -> Page:
    page = house.ann().at(house.games["scout"])
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[aria-controls=side]").click()
    return page


def zoom(house: House) -> Page:
    ann = house.visitor("Anna", has_touch=True, viewport={"width": 390, "height": 844})
    page = ann.at(against(ann, "scopinion"))
    box = page.locator(".hand .card").first.bounding_box()
    assert box
    finger = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_selector(".tip.large:not([hidden])")
    return page


PHONE = ("390",)
STATES: dict[str, tuple[Callable[[House], Page], tuple[str, ...]]] = {
    "newcomer": (newcomer, tuple(SIZES)),
    "lobby": (lobby, tuple(SIZES)),
    "open": (table_opens, tuple(SIZES)),
    "waiting": (waiting, tuple(SIZES)),
    "invited": (invited, tuple(SIZES)),
    "rules": (rules, tuple(SIZES)),
    "guide": (guide, tuple(SIZES)),
    "settings": (settings, tuple(SIZES)),
    "about": (about, tuple(SIZES)),
    "profile": (profile, tuple(SIZES)),
    "standings": (standings, tuple(SIZES)),
    "house-moves": (house_moves, ("1280", "390")),
    "skyjo-round-end": (round_end, tuple(SIZES)),
    "skyjo-game-end": (game_end, tuple(SIZES)),
    "rematch": (rematch, tuple(SIZES)),
    "replay": (replay, tuple(SIZES)),
    "missed": (missed, tuple(SIZES)),
    "offline": (offline, tuple(SIZES)),
    "curtain": (curtain, tuple(SIZES)),
    "says": (says, ("1280", "390")),
    "log": (log, PHONE),
    "zoom": (zoom, PHONE),
    "paper": (paper, ("1280", "390")),
    "mine": (mine, tuple(SIZES)),
    "hint": (hint, tuple(SIZES)),
    "asked-again": (asked_again, tuple(SIZES)),
    "ends": (ends, ("1280", "390")),
    "unshared": (unshared, ("1280", "390")),
    "quick": (quick, tuple(SIZES)),
    "day": (day, tuple(SIZES)),
    "unloaded": (unloaded, ("1280", "390")),
    **{f"table-{name}": (table(name), tuple(SIZES)) for name in RULESETS},
}
"""What is pictured, and in which windows."""


def pictures(directory: Path, chosen: Callable[[str], str]) -> None:
    """Write those to which `chosen` gives a name."""
    directory.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        Server(Path(folder) / "games.db", rate_limit="off") as server,
    ):
        for tongue in ("en", "de"):
            house = House(browser, server.url, tongue)
            for state, (made, sizes) in STATES.items():
                ends = {"en": ("", "-dark"), "de": ("-de",)}[tongue]
                names = {f"{state}-{size}{end}": (size, end) for size in sizes for end in ends}
                wanted = {name: chosen(name) for name in names if chosen(name)}
                page = made(house) if wanted else None
                for name, file in wanted.items():
                    assert page
                    size, end = names[name]
                    width, height = SIZES[size]
                    page.set_viewport_size({"width": width, "height": height})
                    page.emulate_media(color_scheme="dark" if end == "-dark" else "light")
                    page.wait_for_timeout(700)  # the lamp has moved
                    page.screenshot(path=directory / f"{file}.jpg", type="jpeg", quality=80)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        words = sys.argv[2:]
        pictures(Path(sys.argv[1]), lambda name: name if all(word in name for word in words) else "")
    else:
        pictures(DOCS, lambda name: PUBLISHED.get(name, ""))
