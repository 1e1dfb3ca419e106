"""Three games in packages of their own, from their wheels: tricks with partners, a common choice, nothing hidden."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.package.served import ask, browsing, serving
from tests.package.test_new import run
from tests.support import wheel
from tests.support.mcp_seat import called, in_this_process, played_out

SEATS = {"whist": 4, "goofspiel": 2, "fifteen": 2}
TARGETS = {"whist": 13, "goofspiel": 13, "fifteen": 9}
"""What the first player can click: cards of the hand, or of the middle."""
MOST = 350
every_example = pytest.mark.parametrize("name", SEATS)


@pytest.fixture(scope="module")
def sites(site: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Where the service and the three packages are installed."""
    found = [site]
    for name in SEATS:
        folder = tmp_path_factory.mktemp(name)
        project = folder / "project"
        project.mkdir()
        for part in ("pyproject.toml", "README.md", "src"):
            subprocess.run(["cp", "-r", str(wheel.ROOT / "examples" / name / part), str(project)], check=True)
        found.append(wheel.installed(wheel.built(project, folder), folder / "site"))
    return tuple(found)


@pytest.fixture(scope="module")
def url(sites: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served") / "games.db", *sites) as (found, errors):
        yield found
        assert "Traceback" not in errors.read_text() and "not served" not in errors.read_text()


def opened(url: str, name: str) -> tuple[Any, str]:
    """A player at all seats of a new game, and its path."""
    player = ask(url, "/v1/players", {"name": "Ann"})
    game = ask(url, f"/v1/games/org.example.{name}", {"seats": SEATS[name], "hotseat": True}, player["token"])
    return player, f"org.example.{name}/{game['id']}"


@every_example
def test_it_has_a_picture_and_its_rules_are_short(name: str):
    home = wheel.ROOT / "examples" / name / "src" / name
    assert (home / "table.js").is_file()
    assert sum(len(path.read_text().splitlines()) for path in home.glob("*.py")) <= MOST


@every_example
@pytest.mark.by_default()  # the laws of a package are checked by `tests/docs/test_adding_a_ruleset.py`
def test_its_tests_pass(sites: tuple[Path, ...], name: str):
    folder = wheel.ROOT / "examples" / name
    options = ["-q", "-c", "/dev/null", "--rootdir", str(folder), "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    assert "failed" not in run(folder, "pytest", *options, "tests", sites=sites)


@every_example
@pytest.mark.by_default("whist")
def test_a_whole_game_is_played_and_verified(url: str, sites: tuple[Path, ...], tmp_path: Path, name: str):
    player, game = opened(url, name)
    path, token = f"/v1/games/{game}", player["token"]
    while (now := ask(url, path, token=token))["status"] == "running":
        seat = now["to_act"][-1]
        moves = ask(url, f"{path}/moves?as={seat}", token=token)["legal_moves"]
        ask(url, f"{path}/moves?as={seat}", moves[len(moves) // 2], token)
    result = now["result"]
    assert len(result["scores"]) == SEATS[name]
    assert result.get("teams") == ([[0, 2], [1, 3]] if name == "whist" else None)
    assert ("ranks" in result) == (name == "fifteen")
    record = ask(url, f"{path}/record", token=token)
    film = ask(url, f"{path}/film", token=token)
    assert film["ruleset"]["name"] == f"org.example.{name}"
    assert film["perspectives"].keys() == {"all", "bystander", *map(str, range(SEATS[name]))}
    assert {len(steps) for steps in film["perspectives"].values()} == {len(record["events"])}
    (tmp_path / "record.json").write_text(json.dumps(record))
    ran(sites, tmp_path, "-m", "stammtisch", "verify", "record.json")


@every_example
@pytest.mark.by_default("whist")
@pytest.mark.anyio
async def test_a_language_model_plays_a_whole_game_with_one_call_a_choice(url: str, name: str):
    async with in_this_process(url) as client:
        ruleset, others = f"org.example.{name}", ["careful/1"] * (SEATS[name] - 1)
        assert ruleset in (await called(client, "rulesets"))[0]
        assert len((await called(client, "rules", ruleset=ruleset))[0]) > 40
        told, place = await called(client, "open", ruleset=ruleset, seats_for=["me", *others])
        assert f"{place['moves']}. " in told or f"-{place['moves']}. " in told
        choices, calls = await played_out(client, place)
        assert 0 < calls <= 1.25 * choices
        verdict, _ = await called(client, "verify", game=place["game"])
        assert verdict.startswith("incomplete: "), "the client does not know the rules of packages"
        assert "wrong" not in verdict


@every_example
@pytest.mark.by_default("goofspiel")
def test_a_card_is_played_in_a_browser(url: str, name: str):
    player, game = opened(url, name)
    with browsing(url, player, game) as page:
        page.get_by_role("button", name="I am Ann").click()
        expect(page.locator(".legal")).to_have_count(TARGETS[name])
        expect(page.locator(".scores tbody tr")).to_have_count(2)  # partners are one line
        if name == "whist":
            first = sorted_by_hand(page, ask(url, f"/v1/games/{game}", token=player["token"]))
        page.locator(".legal").first.click()
        expect(page.get_by_role("button", name="I am")).to_be_visible()
    after = ask(url, f"/v1/games/{game}", token=player["token"])
    assert after["version"] > SEATS[name] + 2
    if name == "whist":
        assert after["view"]["trick"] == [first]


def sorted_by_hand(page: Page, game: Any) -> str:
    """Sort the cards of the seat to act. Returns the first one then."""
    deck = json.loads((wheel.ROOT / "examples/whist/src/whist/deck.json").read_text())["cards"]
    hand, faces = game["view"]["hands"][game["you"]], page.locator(".hand .card text")
    assert faces.all_text_contents() == hand
    sort = page.get_by_role("button", name="Sort your cards")
    sort.click()
    expect(sort).to_have_attribute("aria-pressed", "true")
    assert faces.all_text_contents() == sorted(hand, key=deck.index) != hand
    return str(faces.first.text_content())


def test_a_first_move_without_a_deal_is_taken_back(url: str):
    player = ask(url, "/v1/players", {"name": "Ann"})
    path = "/v1/games/org.example.fifteen"
    game = ask(url, path, {"seats": 2, "hotseat": True, "undo": "free"}, player["token"])
    path, token = f"{path}/{game['id']}", player["token"]
    move = {"type": "take", "number": "5"}
    ask(url, f"{path}/moves?as=0", move, token)
    before = ask(url, f"{path}?as=0", token=token)
    assert before["view"]["middle"].count("5") == 0
    ask(url, f"{path}/moves/{before['undo']}?as=0", token=token, method="DELETE")
    assert ask(url, path, token=token)["view"]["middle"].count("5") == 1


@every_example
@pytest.mark.by_default("goofspiel")
def test_it_is_played_in_the_arena(sites: tuple[Path, ...], tmp_path: Path, name: str):
    options = ["--seats", str(SEATS[name]), "--boards", "2", "--bots", "careful", "deep:2x2"]
    ran(sites, tmp_path, "-m", "stammtisch", "arena", f"org.example.{name}", *options)


TRAINED = """
import numpy as np
from stammtisch.service.process import packages
packages.load("*")
from stammtisch.agents.training.zoo import table
for name, seats in {seats}.items():
    env = table("org.example." + name, seats=seats)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over or cut else int(legal[0]))
        if not over:
            assert env.observation_space(agent).contains(observation), name
    print(name, over, cut, len(env.agents))
"""


def test_all_are_trained(sites: tuple[Path, ...], tmp_path: Path):
    """A whole game of each in its environment for reinforcement learning."""
    lines = ran(sites, tmp_path, "-c", TRAINED.format(seats=SEATS)).splitlines()
    assert lines == [f"{name} True False 0" for name in SEATS]


def ran(sites: tuple[Path, ...], folder: Path, *command: str) -> str:
    environment = wheel.environment(*sites, STAMMTISCH_PACKAGES="*")
    whole = [sys.executable, "-P", *command]
    done = subprocess.run(whole, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, (command[:3], done.stdout, done.stderr)
    return done.stdout


def test_more_bots_than_teams_are_refused(sites: tuple[Path, ...], tmp_path: Path):
    environment = wheel.environment(*sites, STAMMTISCH_PACKAGES="*")
    command = ["arena", "org.example.whist", "--seats", "4", "--bots", "careful", "random", "careful"]
    whole = [sys.executable, "-P", "-m", "stammtisch", *command]
    done = subprocess.run(whole, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert "partners are the same bot" in done.stderr


@every_example
@pytest.mark.by_default()
def test_mypy_finds_nothing(sites: tuple[Path, ...], tmp_path: Path, name: str):
    options = ["--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir", str(tmp_path)]
    folder = wheel.ROOT / "examples" / name
    for part, path in (("src", str(sites[0])), ("tests", f"{sites[0]}:src")):
        environment = wheel.environment(MYPYPATH=path)
        command = [sys.executable, "-m", "mypy", *options, part]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
