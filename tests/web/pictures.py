"""Pictures of tables from real positions: `python -m tests.web.pictures DIRECTORY [WORD...]`.

Every hard state of the five games, in five windows and both languages, in names as `scout-gap-390-de`. With words, only
the pictures whose names contain all of them are made. `screens.py` takes those of the other pages, and of moments.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.support.files import static
from tests.web.browsers import UNDRAWN, chromium
from tests.web.measures import called, unreadable
from tests.web.scenes import Scene, moments, scenes

ROOT = Path(__file__).parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html stammtisch"
)
SIZES = {
    "1280": (1280, 800), "390": (390, 844), "360": (360, 640), "844": (844, 390), "1920": (1920, 1080),
    "640": (640, 400), "667": (667, 375), "740": (740, 360), "768": (768, 1024), "800": (800, 1280),
    "820": (820, 1180), "1024": (1024, 768)}  # fmt: skip
HOUSE = ("Emil", "Lotte", "Chiara", "Ben", "Frieda", "Oskar", "Hiro")
"""Those who sit with Anna in pictures."""
DRAWN = [name for name in RULESETS if ROOT.joinpath(f"web/tables/{name}.js").exists()]
"""The rulesets with a table of their own. Others are described from their schemas."""
MOVES = {"skyjo": 34, "skyjo_action": 48, "scout": 15, "scopinion": 46, "scandaroon": 20}
"""How many random moves a pictured game has seen."""


@contextmanager
def served() -> Iterator[str]:
    """The address of the demo: the repository as files, under the policy of the service."""
    with static(ROOT, {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}) as url:
        yield f"{url}/tests/web/demo.html"


class Demo:
    """A page that shows scenes; what the browser complains about is kept."""

    def __init__(
        self, browser: Browser, address: str, size: str = "1280", *, drawn: bool = True, **context: Any
    ) -> None:
        width, height = SIZES[size]
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, **context)
        if not drawn:
            self.page.add_init_script(UNDRAWN)
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda message: self.complaints.append(message.text) if message.type != "debug" else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)
        self.page.wait_for_function("window.ready")

    def show(self, scene: Any, **options: Any) -> list[str]:
        """Renders the scene; returns the things that are in the page."""
        things: list[str] = called(self.page, "show", scene, options)
        return things

    def walk(self, positions: list[Any], window: tuple[int, int], language: str) -> list[str]:
        """What `sight.js` finds in these positions."""
        self.page.set_viewport_size({"width": window[0], "height": window[1]})
        found: list[str] = called(self.page, "walk", positions, {"language": language})
        return found

    def paint(self, position: Any, window: tuple[int, int], language: str, theme: str) -> list[str]:
        """What `ink.js` finds in a picture of the position."""
        self.page.set_viewport_size({"width": window[0], "height": window[1]})
        self.show(position, language=language, theme=theme)
        where = f"{position['ruleset']}, {position['seats']} seats, {window[0]}x{window[1]}, {language}, {theme}"
        return [f"{where}: {each}" for each in unreadable(self.page)]


def scene_of(name: str, seats: int, seed: int = 3, moves: int | None = None) -> Any:
    """A scene in the middle of a game, of the seat that is to act."""
    *_, scene = moments(RULESETS[name], seats, seed, moves or MOVES[name])
    return builtins(scene())


def scene_where(name: str, seats: int, fits: Callable[[Scene], bool], options: Any = None) -> Any:
    """The first scene in the middle of a game that fits."""
    for seed in range(200):
        for made in islice(moments(RULESETS[name], seats, seed, 120, options), MOVES[name] // 2 + 1, None):
            if fits(scene := made()):
                return builtins(scene)
    raise LookupError(f"no such scene of {name}")


def scene_with(name: str, seats: int, kind: str, more: int = 1, options: Any = None) -> Any:
    """The first scene with that many legal moves of a type."""
    return scene_where(name, seats, lambda scene: count(scene, kind) >= more, options)


def count(scene: Scene, kind: str, **fields: object) -> int:
    """How many legal moves are of the type and have these values."""
    return sum(move["type"] == kind and fields.items() <= move.items() for move in scene.legal)


def scene_long() -> Any:
    """The longest hands there are."""
    scout = RULESETS["scout"]
    found = scenes(scout, 2, 1, 8, scout.options(two_player="seed"))
    return builtins([scene for scene in found if scene.view["active"]][-1])


REPLAY = {
    "first": 1, "last": 118, "version": 73, "playing": False, "speed": 1, "live": False, "over": True, "brief": False,
    "perspective": "all", "losses": [],
    "marks": [
        {"version": 1, "label": "deal"}, {"version": 30, "label": "round 1"}, {"version": 81, "label": "round 2"},
        {"version": 40, "label": "", "own": True, "size": 2}, {"version": 47, "label": "", "own": True, "size": 1},
    ],
    "perspectives": [{"value": "all", "label": "All"}, {"value": "0", "label": "Anna"}],
}  # fmt: skip


def tray(scene: Scene) -> int:
    return len(scene.view["hands"][scene.you])


def shows(scene: Scene) -> bool:
    """A set lies there, and more than one set of several cards can be shown."""
    return len(scene.view["active"] or ()) > 1 and sum(move.get("count", 0) > 1 for move in scene.legal) > 1


EXPERT = RULESETS["scopinion"].options(mode="expert")

STATES: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "skyjo-turn": (lambda: scene_with("skyjo", 4, "swap"), {}),
    "skyjo-eight": (lambda: scene_with("skyjo", 8, "swap"), {}),
    "action-ten": (
        lambda: scene_where("skyjo_action", 4, lambda scene: tray(scene) > 8 and count(scene, "play") > 1), {},
    ),
    "action-target": (lambda: scene_with("skyjo_action", 4, "pick", 20), {}),
    "action-line": (lambda: scene_with("skyjo_action", 4, "look"), {"begin": "look"}),
    "action-look": (lambda: scene_with("skyjo_action", 4, "look"), {}),
    "action-three": (lambda: scene_with("skyjo_action", 4, "keep"), {}),
    "action-steal": (lambda: scene_with("skyjo_action", 3, "steal"), {}),
    "scout-show": (lambda: scene_where("scout", 4, shows), {"begin": "show"}),
    "scout-gap": (lambda: scene_with("scout", 4, "scout", 20), {"begin": "scout"}),
    "scout-long": (scene_long, {}),
    "scout-long-gap": (scene_long, {"begin": "scout"}),
    "scopinion-buy": (lambda: scene_with("scopinion", 4, "buy", 4), {"begin": "buy"}),
    "scopinion-keep": (lambda: scene_with("scopinion", 3, "keep_drawn"), {}),
    "scopinion-expert": (
        lambda: scene_where("scopinion", 4, lambda scene: any(scene.view["showcases"]), EXPERT), {},
    ),
    "scopinion-stage": (
        lambda: scene_where(
            "scopinion", 4,
            lambda scene: len(scene.view["stage"]) > 5 and len(scene.view["showcases"][scene.you]) > 1, EXPERT,
        ), {},
    ),
    "scandaroon-stone": (lambda: scene_with("scandaroon", 4, "stone", 3), {"begin": "stone"}),
    "scandaroon-target": (lambda: scene_with("scandaroon", 4, "target", 3), {}),
    "scandaroon-playing": (lambda: scene_with("scandaroon", 3, "play", 4), {"begin": "play", "hover": "hands"}),
    "scandaroon-trump": (lambda: scene_with("scandaroon", 3, "set_trump"), {}),
    "skyjo-watching": (lambda: scene_of("skyjo", 8), {"watching": True}),
    "scout-replay": (lambda: scene_of("scout", 4), {"replay": REPLAY, "watching": True}),
    "curtain": (lambda: scene_of("skyjo", 3), {"curtain": {"name": "Ben", "next": 1}}),
    **{
        f"{name}-of-{seats}": (partial(scene_of, name, seats), {})
        for name, rules in RULESETS.items() for seats in rules.seats
    },
}  # fmt: skip
"""The hard states: scene and options."""


def pictures(words: list[str]) -> Iterator[tuple[str, Any, str, dict[str, Any]]]:
    """Name, scene, size and options of those whose names contain all words."""
    for state, (made, options) in STATES.items():
        names = {
            f"{state}-{size}{tongue}": (size, {"language": "de"} if tongue else {})
            for size in SIZES
            for tongue in ("", "-de")
        }
        names |= {f"{state}-{size}-dark": (size, {"theme": "dark"}) for size in ("1280", "390")}
        if chosen := [name for name in names if all(word in name for word in words)]:
            scene = made()
            yield from ((name, scene, names[name][0], options | names[name][1]) for name in chosen)


def main(directory: Path, words: list[str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        demo = Demo(browser, address, reduced_motion="reduce")
        for name, scene, size, options in pictures(words):
            width, height = SIZES[size]
            demo.page.set_viewport_size({"width": width, "height": height})
            demo.show(scene, **options)
            if "replay" in options:
                demo.page.wait_for_selector(".scrub")  # its module is loaded with the first replay
            demo.page.screenshot(path=directory / f"{name}.png")
            if demo.complaints:
                raise SystemExit(f"{name}: {demo.complaints}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
