"""Several people at one screen: while the curtain is down nobody's cards are in the page or in any answer.
In branches all cards lie open."""

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.rulesets import RULESETS
from tests.support.clients import Server
from tests.web.browsers import LEGAL, Json, Visitor, ask, now, opened, somebody

LAST = [*RULESETS][-1]
"""Its cards have names that stand for nothing else."""

HANDOVERS = 3

CHOICES = f"{LEGAL}, .rail .btn:not(.quiet):visible"
"""A seat may have nothing to choose but a button."""


class Ears:
    """Everything that arrives about a game, over HTTP and the channel."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("response", lambda response: self._answer(response.url, response.text))
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.heard.append(str(frame))))

    def _answer(self, url: str, text: Callable[[], str]) -> None:
        if "/v1/games/" in url:
            self.heard.append(text())


def private_cards(visitor: Visitor, game: Json) -> dict[str, str]:
    """The cards of hands that a bystander does not know, by their places."""

    def hands(perspective: str) -> list[list[str | None]]:
        path = f"games/{game['ruleset']}/{game['id']}?as={perspective}"
        found: list[list[str | None]] = ask(visitor.url, path, token=visitor.token)["view"]["hands"]
        return found

    known = hands("bystander")
    return {
        f"hands/{seat}/{index}": card
        for seat, hand in enumerate(hands("all"))
        for index, card in enumerate(hand)
        if card is not None and known[seat][index] is None
    }


def texts(document: Any) -> Iterator[str]:
    """All texts in an answer but those of the deck, which everybody knows."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            if key != "deck":
                yield from texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from texts(value)


def named(cards: set[str], answers: list[str]) -> set[str]:
    lines = [line for answer in answers for line in answer.splitlines() if line]
    return cards & {text for line in lines for text in texts(json.loads(line))}


def words(page: str) -> set[str]:
    """Of a page as text. Paths of drawings are left out: `M6` is a card, and in a path a step."""
    return {*re.findall(r"\w+", re.sub(r' d="[^"]*"', "", page))}


def faces(page: Page) -> list[str]:
    """The places in hands whose cards lie face up."""
    found: list[str] = page.locator(".card:not(.is-back)[data-thing^='hands/']").evaluate_all(
        "cards => cards.map((card) => card.dataset.thing)"
    )
    return found


def leaks(visitor: Visitor, game: Json, handovers: int = HANDOVERS) -> set[str]:
    """Cards of hands that are seen or heard while the curtain is down."""
    page, found, dice = visitor.page, set[str](), Random(3)
    ears = Ears(page)
    visitor.at(game)
    for number in range(handovers):
        page.wait_for_selector(".curtain button")
        if number:  # what comes from now on counts; at first everything
            ears.heard.clear()
        page.wait_for_timeout(300)  # whatever is under way has arrived
        private = private_cards(visitor, game)
        found |= named({*private.values()}, ears.heard)
        found |= {*private.values()} & words(page.content())
        found |= {*private} & {*faces(page)}
        if number == handovers - 1:
            break
        page.locator(".curtain button").click()
        page.locator(CHOICES).first.wait_for()
        while not page.locator(".curtain button").count():
            choices = page.locator(CHOICES)
            choices.nth(dice.randrange(choices.count())).click()
            expect(page.locator(".rail.busy")).to_have_count(0)
    return found


def test_nothing_is_known_while_the_curtain_is_down(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """From the first answer, on a device that has never seen the game."""
    visitor = somebody(browser, server, visitors, "Ann")
    game = opened(visitor, LAST, hotseat=True)
    assert leaks(visitor, game) == set()


def unmasked(route: Route) -> None:
    """The page gets a seat's look instead of a bystander's."""
    route.continue_(url=route.request.url.replace("as=bystander", "as=all"))


@pytest.mark.planted("A22")
def test_a_look_too_many_is_noticed(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """A planted fault."""
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    game = opened(visitor, LAST, hotseat=True)
    visitor.context.route("**/*as=bystander*", unmasked)
    assert leaks(visitor, game, handovers=1)


@pytest.mark.by_default()
def test_a_branch_shows_the_cards_of_all_seats(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    """From a moment of a replay; the moves of each seat can be made, without a curtain."""
    visitor = somebody(browser, server, visitors, "Ann")
    parent = opened(visitor, LAST, hotseat=True)
    path = f"games/{LAST}/{parent['id']}"
    while legal := now(visitor, parent)["legal_moves"]:
        ask(
            server.url,
            f"{path}/moves",
            Random(4).choice([*legal, *[m for m in legal if m["type"] == "pass"] * 9]),
            visitor.token,
        )
    assert now(visitor, parent)["result"]
    page = visitor.visit(f"table?g={LAST}/{parent['id']}#v=9")
    page.get_by_role("button", name="Branch").click()
    page.wait_for_url(re.compile(rf"table\?g=(?!.*{parent['id']})"))
    page.locator(CHOICES).first.wait_for()
    game = {"ruleset": LAST, "id": unquote(page.url).rpartition("/")[2]}
    seen = set[int]()
    dice = Random(1)
    for _ in range(30):
        assert page.locator(".curtain").count() == 0
        shown = ask(server.url, f"games/{LAST}/{game['id']}?as=all", token=visitor.token)
        seen.add(shown["you"])
        faces = page.locator(".card:not(.is-back):not(.empty)[data-thing^='hands/']").count()
        assert faces == sum(map(len, shown["view"]["hands"])), faces
        if len(seen) > 1:
            break
        choices = page.locator(CHOICES)
        choices.nth(dice.randrange(choices.count())).click()
        expect(page.locator(".rail.busy")).to_have_count(0)
        page.locator(CHOICES).first.wait_for()
    assert len(seen) > 1
