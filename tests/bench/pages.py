"""The pages in Chromium: bytes, times until they can be used, and times of a click.

Times are taken in the page, with reduced motion: nothing flies. A slow line is emulated by the browser.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from domain.rulesets import RULESETS
from service.pages.web import read
from tests.bench import within
from tests.support.clients import Server
from tests.web import limits
from tests.web.browsers import CLICK, FIRST, LEGAL, Json, Visitor, ask, chromium, now, opened
from tests.web.pictures import Demo, scene_of, served

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
MOST = max(RULESETS[FIRST].seats)


class Visit(NamedTuple):
    """A page that is opened for the first time."""

    files: int
    """Bytes of pages, modules, styles and words that were transferred until nothing more came, with headers."""
    answers: int
    """Bytes of the API's answers."""
    requests: int
    clickable: float
    """Seconds until something could be clicked."""


class Work(NamedTuple):
    """What the page's thread did, in milliseconds of processor time: these hardly depend on what else the machine does,
    other than times by the clock."""

    script: float
    styles: float
    layout: float
    all: float
    """Painting included."""
    layouts: float
    """How many."""


class Times(NamedTuple):
    """Milliseconds of clicks in a game."""

    sent: list[float]
    """From the click until the move was sent."""
    seen: list[float]
    """From the click until its result was drawn."""
    drawn: list[float]
    """From a message until its change was drawn."""
    long: int
    """Tasks longer than 50 ms."""
    work: Work
    """Of the page's thread, for each move."""


@contextmanager
def running() -> Iterator[tuple[Browser, Server]]:
    with (
        TemporaryDirectory() as folder,
        chromium() as browser,
        Server(Path(folder) / "games.db", rate_limit="off") as server,
    ):
        yield browser, server


def visit(browser: Browser, server: Server, path: str, wanted: str, token: Json | None, slow: bool) -> Visit:
    """A first visit with an empty cache."""
    visitor = Visitor(browser, server.url)
    if token:
        visitor.context.add_init_script(remembered(token))
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    if slow:
        session.send("Network.emulateNetworkConditions", SLOW)
    urls: dict[str, str] = {}
    loaded: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: urls.update({event["requestId"]: event["response"]["url"]}))
    session.on("Network.loadingFinished", lambda event: loaded.update({event["requestId"]: event["encodedDataLength"]}))
    page = visitor.visit(path)
    page.wait_for_selector(wanted)
    clickable = page.evaluate("performance.now()") / 1000
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    assert all(url.startswith(server.url) for url in visitor.asked)
    visitor.close()
    requests = len({url for url in visitor.asked if not url.startswith("data:")})
    answers = sum(int(size) for request, size in loaded.items() if "/v1/" in urls.get(request, ""))
    return Visit(sum(map(int, loaded.values())) - answers, answers, requests, clickable)


def remembered(token: Json) -> str:
    """A script that makes the page remember who its user is."""
    return f"localStorage.setItem('stammtisch.identity', {json.dumps(json.dumps(token))})"


def warm(browser: Browser, server: Server, path: str, wanted: str, token: Json, times: int) -> float:
    """The median of seconds until a page that was visited before can be clicked."""
    visitor = Visitor(browser, server.url)
    visitor.context.add_init_script(remembered(token))
    found = []
    for _ in range(times + 1):
        page = visitor.visit(path)
        page.wait_for_selector(wanted)
        found.append(page.evaluate("performance.now()") / 1000)
    visitor.close()
    return median(found[1:])


WATCH = """
window.times = { sent: [], seen: [], drawn: [], long: 0 };
let clicked = 0, told = 0, waits = false;
const painted = (then) => requestAnimationFrame(() => { const way = new MessageChannel();
  way.port1.onmessage = then; way.port2.postMessage(0); });
addEventListener("click", () => { clicked = performance.now(); }, true);
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (clicked && text.includes('"type":"move"')) { times.sent.push(performance.now() - clicked); waits = true; }
  return send.call(this, text);
};
const Native = WebSocket;
window.WebSocket = class extends Native {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (!data.startsWith('{"type":"state"')) return;
      told = performance.now();
      painted(() => {
        times.drawn.push(performance.now() - told);
        if (waits) { times.seen.push(performance.now() - clicked); waits = false; }
      });
    });
  }
};
new PerformanceObserver((list) => { times.long += list.getEntries().length; }).observe({ type: "longtask" });
"""


def clicks(browser: Browser, server: Server, moves: int) -> Times:
    """A game of two seats on one device, played at random by clicks."""
    visitor = Visitor(browser, server.url, "Ann")
    game = opened(visitor, hotseat=True, options={"target_points": 1000})
    visitor.context.add_init_script(WATCH)
    page = visitor.at(game)
    page.wait_for_selector(LEGAL)
    page.evaluate("times.long = 0")  # loading is not playing
    dice = Random(1)

    def play() -> None:
        for _ in range(moves):
            page.wait_for_selector(f".room:has(.rail:not(.busy)) {LEGAL.removeprefix('main ')}")
            page.evaluate(CLICK, dice.random())

    work = worked(page, play, moves)
    found = page.evaluate("times")
    visitor.close()
    return Times(**found, work=work)


GAPS = """() => {
  window.gaps = [];
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    window.gaps.push(now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes the milliseconds between frames, from now on."""

FOUR = 4


def gaps(browser: Browser, server: Server, moves: int) -> list[float]:
    """Milliseconds of all frames while that many moves are made at a table of four: a person, who clicks at random, and
    three of the house. Cards fly; a move of others is shown for 400 ms."""
    visitor = Visitor(browser, server.url, "Ann", reduced_motion="no-preference")
    game = opened(visitor, seats=["me", *["careful/1"] * (FOUR - 1)], options={"target_points": 1000})
    visitor.context.add_init_script("localStorage['stammtisch.pace'] = '400'")
    page = visitor.at(game)
    page.wait_for_selector(LEGAL)
    dice, path = Random(3), f"games/{FIRST}/{game['id']}"
    for _ in range(6):  # what makes cards fly is loaded, and everything has been drawn once
        page.wait_for_selector(f".room:has(.rail:not(.busy)) {LEGAL.removeprefix('main ')}")
        page.evaluate(CLICK, dice.random())
    before = now(visitor, game)["version"]
    page.evaluate(GAPS)
    while now(visitor, game)["version"] < before + moves:
        page.wait_for_selector(f"{LEGAL}, .rail .btn:not(.quiet)", timeout=60_000)  # not the pace of the house
        page.evaluate(CLICK, dice.random())
    assert ask(visitor.url, path, token=visitor.token)["status"] == "running"
    found: list[float] = page.evaluate("gaps")
    visitor.close()
    return found


JUMP = 37
"""Events: a slider that is dragged quickly passes over as many. A round of the game has 150."""

STEPS = """async (stride) => {
  const turn = () => new Promise((done) => {
    const way = new MessageChannel();
    way.port1.onmessage = done;
    way.port2.postMessage(0);
  });
  const slider = document.querySelector("input[type=range]"), found = [];
  for (let index = 0; index < 100; index++) {
    const version = Number(slider.min) + (index * stride) % (slider.max - slider.min);
    const begun = performance.now();
    slider.value = version;
    slider.dispatchEvent(new Event("input"));
    while (!slider.getAttribute("aria-valuetext").startsWith(`${version} `)) await turn();
    document.body.offsetHeight;
    found.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  return found;
}"""

FILM = """async ([path, token]) => {
  const base = document.querySelector("script[type=module]").src;
  const { Film } = await import(new URL("../core/film.js", base));
  const found = [];
  let film;
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    const headers = { Accept: "application/x-ndjson", Authorization: `Bearer ${token}` };
    const text = await (await fetch(path, { headers, cache: "no-store" })).text();
    film = new Film();
    film.add(text.split("\\n").filter(Boolean).map((line) => JSON.parse(line)));
    found.push(performance.now() - begun);
  }
  return [film.last, found.toSorted((a, b) => a - b)[2]];
}"""


def long_game(visitor: Visitor, events: int) -> Json:
    """A game of the most seats with that many events."""
    game = opened(visitor, seats=MOST, hotseat=True, options={"target_points": 1000})
    path, dice = f"games/{FIRST}/{game['id']}", Random(2)
    while (state := now(visitor, game))["version"] < events:
        you = state["to_act"][0]
        legal = ask(visitor.url, f"{path}?as={you}", token=visitor.token)["legal_moves"]
        ask(visitor.url, f"{path}/moves?as={you}", dice.choice(legal), visitor.token)
    return game


def steps(page: Page, stride: int) -> list[float]:
    """Milliseconds of 100 steps of the scrubber, each over this number of events, layout included."""
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")  # everything is loaded
    page.wait_for_timeout(200)
    found: list[float] = page.evaluate(STEPS, stride)
    return found


RENDERS = """async ([scenes, times]) => {
  const draws = await Promise.all(scenes.map((scene) => window.prepared(scene))), found = [];
  for (let round = 0; round < times + 4; round++) {
    const begun = performance.now();
    draws[round % 2]();
    document.body.offsetHeight;
    found.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  return found.slice(4);
}"""


def renders(times: int) -> tuple[list[float], float]:
    """Milliseconds of full renders with the most seats, between two positions of a game, layout included; and their
    processor time."""
    with served() as address, chromium() as browser:
        demo = Demo(browser, address)
        scenes = [scene_of(FIRST, MOST, moves=moves) for moves in (30, 36)]
        found: list[float] = demo.page.evaluate(RENDERS, [scenes, times])
        spent = worked(demo.page, lambda: demo.page.evaluate(RENDERS, [scenes, times]), times + 4).all
        demo.page.close()
    return found, spent


FRAMES = """async (seconds) => {
  const found = [], begun = performance.now();
  let last = await new Promise(requestAnimationFrame);
  while (performance.now() - begun < seconds * 1000) {
    const now = await new Promise(requestAnimationFrame);
    if (document.getAnimations().some((each) => each.effect?.target?.closest?.("[data-thing]"))) found.push(now - last);
    last = now;
  }
  return found;
}"""


def frames(browser: Browser, server: Server, game: Json, known: Json, seconds: float) -> list[float]:
    """Milliseconds of the frames in which cards fly, while a replay of the most seats plays."""
    visitor = Visitor(browser, server.url, reduced_motion="no-preference")
    visitor.context.add_init_script(remembered(known))
    page = visitor.visit(f"table?g={FIRST}/{game['id']}#v=20")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(1500)  # what makes cards fly is loaded
    found: list[float] = page.evaluate(FRAMES, seconds)
    visitor.close()
    return found


def heap(page: Page, path: str, token: str) -> int:
    """Bytes that a film keeps, after garbage collection."""
    session = page.context.new_cdp_session(page)

    def used() -> int:
        session.send("HeapProfiler.collectGarbage")
        return int(session.send("Runtime.getHeapUsage")["usedSize"])

    before = used()
    page.evaluate(FILM.replace("return [film.last", "window.kept = film; return [film.last"), [path, token])
    return used() - before


VERIFYING = ("worker.js", "verify.mjs", "pages/proof.js", "style/proof.css", "words/more.en.json")
"""What the proof of a finished game needs beyond the table."""


def compressed(names: Iterable[str]) -> int:
    """Bytes of these files as they are sent."""
    files = read()
    return sum(len(gzip.compress(files[name], mtime=0)) for name in names)


def worked(page: Page, act: Callable[[], object], steps: int) -> Work:
    """What the page did in each step of the act."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def used() -> Work:
        found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        names = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration")
        return Work(*(found[name] * 1000 for name in names), found["LayoutCount"])

    before = used()
    act()
    return Work(*((after - earlier) / steps for after, earlier in zip(used(), before, strict=True)))


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


def rows(quick: bool) -> Iterator[tuple[str, str, str, str]]:
    with running() as (browser, server):
        known = ask(server.url, "players", {"name": "Ann"})
        visitor = Visitor(browser, server.url)
        visitor.token = known["token"]
        game = opened(visitor, seats=["me", "careful/1", "careful/1"])
        table = f"table?g={FIRST}/{game['id']}"
        pages = (("a table", table, LEGAL), ("the lobby", "", ".games li"))
        for what, path, wanted in pages:
            here = visit(browser, server, path, wanted, known, slow=False)
            far = visit(browser, server, path, wanted, known, slow=True)
            size = within(
                f"{here.files / 1000:.0f} kB, and {here.answers / 1000:.0f} kB of answers, {here.requests} requests",
                (here.files, limits.VISIT), (here.requests, limits.REQUESTS),
            )  # fmt: skip
            yield (f"a first visit to {what}", size, "", "")
            yield (
                f"{what}, cold, 1.6 Mbit/s and 150 ms",
                f"{far.clickable:.2f} s",
                f"{here.clickable:.2f} s: here",
                "",
            )
        yield ("more files for verifying a finished game", f"{compressed(VERIFYING) / 1000:.0f} kB", "", "")
        for what, path, wanted in pages:
            warmed = warm(browser, server, path, wanted, known, 3 if quick else 9)
            yield (f"{what}, warm", f"{warmed * 1000:.0f} ms", "", "")
        times = clicks(browser, server, 20 if quick else 150)
        for what, found, most in (
            ("click to move sent", times.sent, limits.SENT),
            ("click to own result drawn", times.seen, limits.RESULT),
            ("message to changed pixels", times.drawn, limits.PIXELS),
        ):
            text = within(f"{p95(found):.1f} ms", (p95(found), most))
            yield (f"{what}, p95", text, f"{median(found):.1f} ms: median", "")
        yield (f"tasks over 50 ms in {len(times.sent)} moves", within(f"{times.long}", (times.long, 0)), "", "")
        work = times.work
        yield (
            "a move on one device, processor time of the page", f"{work.all:.0f} ms",
            f"{work.script:.1f} script, {work.styles:.1f} styles, {work.layout:.1f} in {work.layouts:.1f} layouts", "",
        )  # fmt: skip
        moves = 20 if quick else 100
        between = gaps(browser, server, moves)
        slow = sum(each > limits.FRAME for each in between)
        yield (
            f"frames over {limits.FRAME} ms in {moves} moves of {FOUR} at a table",
            within(f"{slow} of {len(between)}", (slow, 0)), f"{max(between):.0f} ms: the longest", "",
        )  # fmt: skip
        events = 300 if quick else 1000
        long = long_game(visitor, events)
        path = f"{server.url}/v1/games/{FIRST}/{long['id']}/events?with=patch,tally&as=all"
        visitor.visit("table")
        count, film = visitor.page.evaluate(FILM, [path, visitor.token])
        yield (f"a film of {count} events, fetched and folded", f"{film:.0f} ms", "", "")
        kept = heap(visitor.page, path, visitor.token)
        yield (f"memory of a film of {count} events", f"{kept / 1e6:.1f} MB", "", "")
        flying = frames(browser, server, long, known, 3 if quick else 15)
        slow = sum(each > 20 for each in flying) / max(1, len(flying))
        yield (f"frames over 20 ms while cards fly, {MOST} seats", f"{slow:.1%} of {len(flying)}", "", "")
        visitor.context.add_init_script(remembered(known))
        page = visitor.visit(f"table?g={FIRST}/{long['id']}#v=20")
        page.wait_for_selector("[data-ready] input[type=range]")
        step = steps(page, 1)
        text = within(f"{p95(step):.1f} ms", (p95(step), limits.STEP))
        yield (f"a step of the scrubber, {MOST} seats, p95", text, f"{median(step):.1f} ms: median", "")
        yield (f"a jump over {JUMP} events, p95", f"{p95(steps(page, JUMP)):.1f} ms", "", "")
        spent = worked(page, lambda: page.evaluate(STEPS, JUMP), 100).all
        yield ("the same, processor time, painting included", f"{spent:.1f} ms", "", "")
        visitor.close()
    drawn, spent = renders(10 if quick else 60)
    yield (f"a full render, {MOST} seats, median", f"{median(drawn):.1f} ms", "", "")
    yield ("the same, processor time, painting included", f"{spent:.1f} ms", "", "")
