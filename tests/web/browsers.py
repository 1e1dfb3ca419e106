"""Chromium for tests of the pages: what a page asks for and logs is kept, and clicks are made at random."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from domain.rulesets import RULESETS
from tests.support.chromium import chromium_binary
from tests.support.clients import Server

FIRST = next(iter(RULESETS))
LEGAL = "main button[data-thing]:not([data-thing^=seat])"
BUTTONS = ".rail :is(.btn, .picks button), .curtain button"

WINDOW: ViewportSize = {"width": 1280, "height": 800}

OWN = re.compile(r"http://(127\.0\.0\.1|\w+\.test):|data:|blob:")

Json = dict[str, Any]


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as started:
        # Names of hosts: only loopback is a secure context, where the browser isolates the pages by itself.
        args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.test 127.0.0.1"]
        browser = started.chromium.launch(executable_path=chromium_binary(), args=args)
        yield browser
        browser.close()


KEPT, LOOP = pytest.StashKey[Browser](), pytest.StashKey[asyncio.AbstractEventLoop]()


@contextmanager
def kept(config: pytest.Config) -> Iterator[Browser]:
    """What all modules of this process share: a start takes 0.9 s of processor time, with Playwright's driver.

    Beside its use, tests run event loops of their own: that of Playwright does not count as running then.
    """
    if KEPT not in config.stash:
        started = ExitStack()
        config.stash[KEPT], config.stash[LOOP] = started.enter_context(chromium()), asyncio.get_running_loop()

        def close() -> None:
            asyncio._set_running_loop(config.stash[LOOP])
            started.close()

        config.add_cleanup(close)
    asyncio._set_running_loop(config.stash[LOOP])
    yield config.stash[KEPT]
    asyncio._set_running_loop(None)


def ask(url: str, path: str, body: Json | None = None, token: str = "", method: str = "") -> Json:
    """A request to the API beside the pages."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{url}/v1/{path}", data=data, headers=headers, method=method or ("POST" if body else "GET"))
    with urlopen(request, timeout=60) as answer:
        found: Json = json.load(answer)
        return found


HURRY = """{
  const later = setTimeout, pauses = [500, 1000, 2000, 3000, 4000, 8000, 10_000];
  window.setTimeout = (call, pause, ...rest) => later(call, pauses.includes(pause) ? pause / 10 : pause, ...rest);
}"""
"""Makes the pauses between the attempts of a page short, and those between its looks at what others do."""


AT_ONCE = "try { localStorage['stammtisch.pace'] ??= '0'; } catch {}"
"""Shows the moves of others at once, unless the user has chosen another pace."""


UNDRAWN = """{
  const sheet = globalThis.undrawn = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
"""Spares the painting of a page that nobody looks at, which is a third of the processor time of a visit. Boxes, clicks
and names stay the same. `measures.drawn` draws it for measures of what is painted."""


class Player:
    """Somebody who is registered, and plays beside the pages."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name = url, name
        self.token: str = ask(url, "players", {"name": name})["token"]


class Visitor:
    """A browser of its own: a user of the pages, who is registered already if a name is given. `drawn`: the pages are
    painted."""

    def __init__(
        self, browser: Browser, url: str, name: str = "", host: str = "127.0.0.1", *, drawn: bool = True, **context: Any
    ) -> None:
        self.url, self.name, self.host = url, name, host
        self.context: BrowserContext = browser.new_context(
            **{"locale": "en-US", "viewport": WINDOW, "reduced_motion": "reduce"}
            | {"service_workers": "block"}  # one takes as long as the page itself
            | context
        )
        self.complaints: list[str] = []
        self.provoked: tuple[str, ...] = ()
        self.asked: list[str] = []
        self.token = ""
        if not drawn:
            self.context.add_init_script(UNDRAWN)
        if "reduced_motion" not in context:
            self.context.add_init_script(AT_ONCE)
        if name:
            known = ask(url, "players", {"name": name})
            self.token = known["token"]
            text = json.dumps(json.dumps(known))
            self.context.add_init_script(f"localStorage.setItem('stammtisch.identity', {text})")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", lambda message: self.complain(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complain(f"{error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def provokes(self, *faults: str) -> None:
        """From now on complaints with these words, or all, are of what the test breaks on purpose. A browser may log
        them late, and the test may fail before."""
        self.provoked = faults or ("",)

    def complain(self, complaint: str) -> None:
        if any(fault in complaint for fault in self.provoked):
            return
        if "error from the audio device" in complaint:  # the machine has none
            return
        if "Service Worker registration blocked" in complaint:
            return
        if "closed before the connection is established" in complaint:  # the page was left while it connected
            return
        if self.host == "127.0.0.1" or "Cross-Origin-Opener-Policy header has been ignored" not in complaint:
            self.complaints.append(complaint)

    def settle(self, name: str) -> None:
        """Register once, so that the pages can change the identity afterwards."""
        self.visit("health/live")
        self._introduce(name)

    def _introduce(self, name: str) -> None:
        known = ask(self.url, "players", {"name": name})
        self.name, self.token = name, known["token"]
        self.page.evaluate("known => localStorage.setItem('stammtisch.identity', JSON.stringify(known))", known)

    def renew(self, name: str) -> None:
        """Become another user at the same browser, which keeps nothing but files of the pages; without a name, one who
        is not registered."""
        for each in (self.page, self.context):
            each.unroute_all(behavior="ignoreErrors")
        self.name, self.token, self.provoked = "", "", ()
        self.visit("health/live").evaluate("localStorage.clear(), sessionStorage.clear()")
        if name:
            self._introduce(name)
        self.page.set_viewport_size(WINDOW)
        self.asked.clear()
        self.complaints.clear()

    def visit(self, path: str = "") -> Page:
        self.page.goto(f"{self.pages}/{path}")
        return self.page

    @property
    def pages(self) -> str:
        """The URL of the pages, by the name of the host that this user knows."""
        return self.url.replace("127.0.0.1", self.host)

    def at(self, game: Json) -> Page:
        page = self.visit(f"table?g={game['ruleset']}/{game['id']}")
        page.wait_for_selector("[data-ready] .rail, .alone, .waitroom")
        return page

    def close(self) -> None:
        """Requests that a handler of a route still waits for end with the pages, without an error."""
        for each in (*self.context.pages, self.context):
            each.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def assert_content(self) -> None:
        """The page has logged nothing, has not broken its policy, and has asked nobody else."""
        assert not self.complaints, self.complaints
        assert [url for url in self.asked if not OWN.match(url)] == []


def somebody(
    browser: Browser, server: Server, visitors: list[Visitor], name: str = "", *, drawn: bool = False, **context: Any
) -> Visitor:
    visitors.append(Visitor(browser, server.url, name, drawn=drawn, **context))
    return visitors[-1]


def opened(visitor: Visitor | Player, ruleset: str = FIRST, **terms: object) -> Json:
    seats = {"seats": RULESETS[ruleset].seats[0]}
    return ask(visitor.url, f"games/{ruleset}", seats | terms, visitor.token)


def now(visitor: Visitor | Player, game: Json) -> Json:
    return ask(visitor.url, f"games/{game['ruleset']}/{game['id']}", token=visitor.token)


def moves_of(visitor: Visitor | Player, game: Json) -> int:
    """How many moves the log has: entries of one append have one time."""
    path = f"games/{game['ruleset']}/{game['id']}/events?limit=500&as=bystander"
    return len({item["at"] for item in ask(visitor.url, path, token=visitor.token)["items"] if item["by"] is not None})


def played_out(game: Json, *players: Visitor | Player, most: int = 3000) -> Json:
    """The game after random moves to its end, made beside the pages. `players` sit on seats 0, 1 ...; other seats are
    house players'. `most`: moves, for a game that goes on."""
    dice, path = Random(3), f"games/{game['ruleset']}/{game['id']}"
    seen = now(players[0], game)
    while seen["status"] == "running" and (most := most - 1) >= 0:
        player = players[seat := seen["to_act"][0]]
        legal = seen["legal_moves"] if seen["you"] == seat else now(player, game)["legal_moves"]
        seen = ask(player.url, f"{path}/moves", dice.choice(legal), player.token)["game"]
    return seen


def play(page: Page, dice: Random, most: int = 3000) -> int:
    """Click at random until the game is over. Returns the number of clicks."""
    idle = 0
    for clicks in range(most):
        # One step in the page: wait until something can be clicked, and click it.
        done = page.evaluate(CLICK, dice.random())
        if done == "over":
            return clicks
        idle = idle + 1 if done == "idle" else 0
        assert idle < 100, page.inner_text("main")[:2000]
    raise AssertionError("the game does not end")


def play_by_keys(page: Page, dice: Random, most: int = 3000, *, ends: bool = True) -> int:
    """The same with Tab, Shift, arrows, Enter and Space alone. Returns the number of choices. `ends`: the game has to.

    Tab goes the way on which fewer other things are: the log alone has as many as the game has moves.
    """
    for choices in range(most):
        if page.evaluate(READY) == "over":
            return choices
        assert not choices or page.evaluate("document.activeElement !== document.body"), "the focus is lost"
        page.keyboard.press("Tab")  # from where the focus was lost, which the page cannot know
        tab, reached = page.evaluate(SHORTER_WAY), False
        for _ in range(80):
            reached = bool(page.evaluate(FOCUSED)) or reached
            if reached and dice.random() < 0.8 and page.evaluate(FOCUSED):
                break
            page.keyboard.press(tab)
        assert reached, "no key leads to what can be clicked"
        for _ in range(dice.randrange(3)):
            if page.evaluate(FOCUSED) == "card":
                page.keyboard.press(dice.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
        if page.evaluate(FOCUSED):
            page.keyboard.press(dice.choice(["Enter", "Space"]))
    if not ends:
        return most
    raise AssertionError("the game does not end")


FOCUSED = """() => {
  const at = document.activeElement;
  return at.matches("LEGAL") ? "card" : at.matches("BUTTONS") && "button";
}""".replace("LEGAL", LEGAL).replace("BUTTONS", BUTTONS)

SHORTER_WAY = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
    .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility());
  const at = all.indexOf(document.activeElement);
  const steps = (to, from) => (to - from + all.length) % all.length || all.length;
  const found = [...all.keys()].filter((index) => all[index].matches("CLICKABLE"));
  const forward = Math.min(...found.map((index) => steps(index, at)));
  const back = Math.min(...found.map((index) => steps(at, index)));
  return forward <= back ? "Tab" : "Shift+Tab";
}""".replace("CLICKABLE", f"{LEGAL}, {BUTTONS}")

READY = """async () => {
  for (let tries = 0; tries < 3000; tries++) {
    if (document.querySelector(".result-line, .finale")) return "over";
    if (document.querySelector("CLICKABLE") && !document.querySelector(".rail.busy")) return "ready";
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(document.querySelector("main").innerText);
}""".replace("CLICKABLE", f"{LEGAL}, {BUTTONS}")

CLICK = """async (share) => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let tries = 0; tries < 50; tries++) {
    if (document.querySelector(".result-line, .finale")) return "over";
    const open = [...document.querySelectorAll("CLICKABLE")].filter((each) =>
      !each.disabled && each.checkVisibility() && !(each.matches(".quiet") && !each.closest("details, .buttons"))
    );
    const busy = document.querySelector(".rail.busy");
    if (open.length && !busy) {
      const curtain = open.filter((each) => each.closest(".curtain"));
      const from = curtain.length ? curtain : open;
      const chosen = from[Math.floor(share * from.length)];
      chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
      chosen.click();
      await pause(0);
      return "clicked";
    }
    await pause(10);
  }
  return "idle";
}""".replace("CLICKABLE", f"{LEGAL}, {BUTTONS}")
