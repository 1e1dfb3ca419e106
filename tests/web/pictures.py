"""Pictures of the table from real positions, on Debian's Chromium: `python -m tests.web.pictures DIRECTORY [WORD...]`.

With words, only the pictures whose names contain all of them are made.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.support.files import static
from tests.web.browsers import chromium
from tests.web.scenes import Scene, scenes

ROOT = Path(__file__).parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html stammtisch"
)
SIZES = {
    "desktop": (1280, 800), "phone": (390, 844), "small": (360, 640), "lying": (844, 390), "wide": (1920, 1080),
}  # fmt: skip
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

    def __init__(self, browser: Browser, address: str, size: str = "desktop", **context: Any) -> None:
        width, height = SIZES[size]
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, **context)
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda message: self.complaints.append(message.text) if message.type != "debug" else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)
        self.page.wait_for_function("window.ready")

    def show(self, scene: Any, **options: Any) -> list[str]:
        """Renders the scene; returns the things that are in the page."""
        things: list[str] = self.page.evaluate("([scene, options]) => window.show(scene, options)", [scene, options])
        return things

    def walk(self, positions: list[Any], window: tuple[int, int], language: str) -> list[str]:
        """What `sight.js` finds in these positions."""
        self.page.set_viewport_size({"width": window[0], "height": window[1]})
        found: list[str] = self.page.evaluate("([all, language]) => walk(all, { language })", [positions, language])
        return found


def scene_of(name: str, seats: int, seed: int = 3, moves: int | None = None) -> Any:
    """A scene in the middle of a game, of the seat that is to act."""
    found: Scene | None = None
    for scene in scenes(RULESETS[name], seats, seed, moves or MOVES[name]):
        found = scene
    return builtins(found)


def scene_with(name: str, seats: int, kind: str, things: int = 0) -> Any:
    """The first scene with that many legal moves of a type."""
    rules = RULESETS[name]
    for seed in range(200):
        for number, scene in enumerate(scenes(rules, seats, seed, 120)):
            if number > MOVES[name] // 2 and sum(move.get("type") == kind for move in scene.legal) > things:
                return builtins(scene)
    raise LookupError(f"no scene of {name} with {kind}")


def scene_long() -> Any:
    """The longest hands there are."""
    scout = RULESETS["scout"]
    found = scenes(scout, 2, 1, 8, scout.options(two_player="seed"))
    return builtins([scene for scene in found if scene.view["active"]][-1])


REPLAY = {
    "first": 1, "last": 118, "version": 73, "playing": False, "speed": 1, "live": False, "perspective": "all",
    "marks": [
        {"version": 1, "label": "deal"}, {"version": 30, "label": "round 1"}, {"version": 81, "label": "round 2"},
        {"version": 40, "label": "", "own": True}, {"version": 47, "label": "", "own": True},
    ],
    "perspectives": [{"value": "all", "label": "All"}, {"value": "0", "label": "Anna"}],
}  # fmt: skip


def states() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Scenes with something chosen, watched, replayed or covered."""
    yield "scout-scouting", scene_with("scout", 4, "scout", 20), {"begin": "scout"}
    yield "scout-long", scene_long(), {}
    yield "scout-long-gaps", scene_long(), {"begin": "scout"}
    yield "skyjo_action-look", scene_with("skyjo_action", 4, "look"), {}
    yield "skyjo_action-three", scene_with("skyjo_action", 4, "keep"), {}
    yield "skyjo_action-steal", scene_with("skyjo_action", 3, "steal"), {}
    yield "scopinion-buying", scene_with("scopinion", 4, "buy", 4), {"begin": "buy"}
    yield "scopinion-keep", scene_with("scopinion", 3, "keep_drawn"), {}
    yield "scandaroon-target", scene_with("scandaroon", 4, "target", 2), {}
    yield "scandaroon-playing", scene_with("scandaroon", 3, "play", 3), {"begin": "play", "hover": "hands"}
    yield "scandaroon-trump", scene_with("scandaroon", 3, "set_trump"), {}
    yield "skyjo-watching", scene_of("skyjo", 8), {"watching": True}
    yield "scout-replay", scene_of("scout", 4), {"replay": REPLAY, "watching": True}
    yield "skyjo-curtain", scene_of("skyjo", 3), {"curtain": {"name": "Ben", "next": 1}}
    yield "skyjo-last", scene_of("skyjo", 3), {"last": ["layouts/0/4", "discard", "layouts/2/1"]}


def pictures() -> Iterator[tuple[str, Any, str, dict[str, Any]]]:
    """Name, scene, size and options."""
    for name, rules in RULESETS.items():
        for seats in sorted({rules.seats[0], min(4, rules.seats[-1]), rules.seats[-1]}):
            scene = scene_of(name, seats)
            for size in SIZES:
                for theme in ("light", "dark"):
                    yield f"{name}-{seats}-{size}-{theme}", scene, size, {"theme": theme}
    for name, scene, options in states():
        for size in ("desktop", "phone"):
            yield f"state-{name}-{size}", scene, size, options


def main(directory: Path, words: list[str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for name, scene, size, options in pictures():
            if all(word in name for word in words):
                demo = Demo(browser, address, size)
                demo.show(scene, **options)
                demo.page.wait_for_timeout(650)  # the lamp has moved
                demo.page.screenshot(path=directory / f"{name}.png")
                demo.page.close()
                if demo.complaints:
                    raise SystemExit(f"{name}: {demo.complaints}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
