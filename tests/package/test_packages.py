"""Rulesets of installed packages: served, typed, playable, in the arena. A faulty one is named; the others go on."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.package import author
from tests.package.served import ask, browsing, serving
from tests.support import wheel
from tests.verifiers import described
from tests.verifiers.standalone import JAVASCRIPT, PYTHON, node

HIGH_CARD = author.NAME


@pytest.fixture(scope="module")
def installed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders with the service's wheel, and with that of the package."""
    folder = tmp_path_factory.mktemp("author")
    package = wheel.built(author.written(folder / "project"), folder)
    return site, wheel.installed(package, folder / "site")


def played(url: str) -> tuple[str, str]:
    """A whole game of one player at all seats: its path and the player's token."""
    token = ask(url, "/v1/players", {"name": "Ann"})["token"]
    game = ask(url, f"/v1/games/{HIGH_CARD}", {"seats": 2, "hotseat": True}, token)
    path = f"/v1/games/{HIGH_CARD}/{game['id']}"
    while (game := ask(url, path, token=token))["status"] == "running":
        seat = game["to_act"][0]
        move = ask(url, f"{path}/moves?as={seat}", token=token)["legal_moves"][0]
        ask(url, f"{path}/moves?as={seat}", move, token)
    return path, token


def test_an_installed_game_is_served_typed_and_played_to_its_end(installed: tuple[Path, Path], tmp_path: Path):
    with serving(tmp_path / "games.db", *installed, packages=author.DISTRIBUTION) as (url, _):
        assert HIGH_CARD in [each["name"] for each in ask(url, "/v1/rulesets")["items"]]
        path, token = played(url)
        assert ask(url, path)["result"]["winners"]
        record = ask(url, f"{path}/record", token=token)
        (tmp_path / "record.json").write_text(json.dumps(record))
        served = urllib.request.urlopen(f"{url}/v1/rulesets/{HIGH_CARD}/description").read()
        (tmp_path / "rules.json").write_bytes(served)
        document = ask(url, "/schema/openapi.json")
        committed = json.loads((wheel.ROOT / "openapi" / "openapi.json").read_text())
        changed = {name for name, path in committed["paths"].items() if document["paths"][name] != path}
        schemas = committed["components"]["schemas"]
        changed |= {name for name, schema in schemas.items() if document["components"]["schemas"][name] != schema}
        assert changed == set()
        assert f"/v1/games/{HIGH_CARD}/{{game_id}}" in document["paths"]
        shell = urllib.request.urlopen(urllib.request.Request(f"{url}/table", headers={"Accept": "text/html"})).read()
        files = re.search(rb"web/[0-9a-f]{16}/", shell)
        assert files is not None
        for name in (f"tables/{HIGH_CARD}.js", f"tables/rules/{HIGH_CARD}.json"):
            assert urllib.request.urlopen(f"{url}/{files[0].decode()}{name}").status == 200
        index = urllib.request.urlopen(f"{url}/{files[0].decode()}tables/index.js").read().decode()
        assert f'TABLES["{HIGH_CARD}"]' in index
    dealt = next(entry["event"] for entry in record["events"] if entry["event"]["type"] == "dealt")
    dealt["hands"].reverse()
    (tmp_path / "forged.json").write_text(json.dumps(described.sealed(record, served)))
    for verifier in ([sys.executable, "-I", "-S", PYTHON], [node(), JAVASCRIPT]):
        for arguments, status in (
            (["record.json"], 3),
            (["--rules", "rules.json", "record.json"], 0),
            (["forged.json"], 3),
            (["--rules", "rules.json", "forged.json"], 1),
        ):
            done = subprocess.run([*verifier, *arguments], cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == status, (verifier, arguments, done.stdout)
            assert sha256(served).hexdigest() in done.stdout
    environment = wheel.environment(*installed, STAMMTISCH_PACKAGES="*")
    command = [sys.executable, "-P", "-m", "stammtisch"]
    for arguments in (
        ["verify", "record.json"],
        ["arena", HIGH_CARD, "--bots", "careful", "random", "--boards", "2", "--processes", "2"],
        ["import", "record.json", "--database", "other.db"],
    ):
        done = subprocess.run([*command, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)


def test_an_installed_game_that_the_operator_does_not_name_is_not_loaded(installed: tuple[Path, Path], tmp_path: Path):
    with serving(tmp_path / "games.db", *installed, packages="") as (url, errors):
        assert HIGH_CARD not in [each["name"] for each in ask(url, "/v1/rulesets")["items"]]
        assert "not served" not in errors.read_text()


FAULTS = {
    "attribute": ("org.example.attribute", "", "MISSING", "AttributeError"),
    "type": ("org.example.type", "X = 1", "X", "not a Ruleset"),
    "exception": ("org.example.exception", "1 / 0", "X", "ZeroDivisionError"),
    "exit": ("org.example.exit", "import sys\nsys.exit(3)", "X", "SystemExit: 3"),
    "taken": ("skyjo", "from stammtisch.domain.rulesets.skyjo import SKYJO", "SKYJO", "domain of its author"),
}
"""By fault: the ruleset, the source, the attribute, and what the reason must contain."""


def test_a_package_that_cannot_be_loaded_is_named_and_the_others_are_served(
    installed: tuple[Path, Path], tmp_path: Path
):
    broken = tmp_path / "broken"
    broken.mkdir()
    for name, (ruleset, source, target, _) in FAULTS.items():
        author.faulty(broken, f"faulty-{name}", ruleset, f"faulty_{name}", source, target)
    allowed = ",".join([author.DISTRIBUTION, "not-there", *(f"Faulty_{name}" for name in FAULTS)])
    with serving(tmp_path / "games.db", *installed, broken, packages=allowed) as (url, errors):
        names = [each["name"] for each in ask(url, "/v1/rulesets")["items"]]
        assert HIGH_CARD in names and "skyjo" in names
        lines = [line for line in errors.read_text().splitlines() if "is not served" in line]
        health = ask(url, "/health/ready")
    assert health["status"] == "ready"
    assert health["unserved"] == sorted(["not-there", *(f"faulty-{n}: {FAULTS[n][0]}" for n in FAULTS)])
    for name, (ruleset, _, _, reason) in FAULTS.items():
        (line,) = [line for line in lines if f"faulty-{name}: {ruleset}" in line]
        assert reason in line
    assert len(lines) == len(FAULTS) + 1


@pytest.mark.by_default()  # so are the examples
def test_an_installed_game_is_played_in_a_browser_with_its_own_picture(installed: tuple[Path, Path], tmp_path: Path):
    with serving(tmp_path / "games.db", *installed) as (url, _):
        ann = ask(url, "/v1/players", {"name": "Ann"})
        game = ask(url, f"/v1/games/{HIGH_CARD}", {"seats": 2, "hotseat": True}, ann["token"])
        with browsing(url, ann, f"{HIGH_CARD}/{game['id']}") as page:
            page.get_by_role("button", name="I am Ann").click()
            expect(page.locator(".legal")).to_have_count(4)  # the cards of one's hand, which the picture makes targets
            page.locator(".mine button").first.click()
            expect(page.get_by_text("Cards played")).to_be_visible()


def until_listed(url: str, game_id: str) -> None:
    """Wait until the lobby, which follows the log, lists the game as running."""
    deadline = time.monotonic() + 60
    while game_id not in [each["id"] for each in ask(url, "/v1/games?status=running")["items"]]:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def games_of(url: str) -> dict[str, str]:
    """The status of each game in the lobby, by id."""
    return {each["id"]: each["status"] for each in ask(url, "/v1/games")["items"]}


@pytest.mark.by_default()  # `tests/service/test_missing_rules.py` has the parts
def test_a_package_that_is_gone_leaves_its_games_readable_until_it_is_back(
    installed: tuple[Path, Path], tmp_path: Path
):
    site, _ = installed
    database = tmp_path / "games.db"
    with serving(database, *installed) as (url, _):
        over, _ = played(url)
        tokens = [ask(url, "/v1/players", {"name": name})["token"] for name in ("Ann", "Ben")]
        game = ask(url, f"/v1/games/{HIGH_CARD}", {"seats": 2, "clock": {"bank": 3_600}, "undo": "free"}, tokens[0])
        path, waits = (f"/v1/games/{HIGH_CARD}/{each['id']}" for each in (
            game, ask(url, f"/v1/games/{HIGH_CARD}", {"seats": 3}, tokens[1])))  # fmt: skip
        token = tokens[ask(url, f"{path}/seats", {}, tokens[1])["to_act"][0]]
        until_listed(url, game["id"])
        move = ask(url, f"{path}/moves", token=token)["legal_moves"][0]
        kept = [over, f"{over}/events", f"{over}/record"]
        before = {place: ask(url, place, token=token) for place in (path, waits, f"{path}/events", *kept)}
        hidden = ask(url, f"{path}/events?as=bystander")["items"]
        listed, standings = games_of(url), ask(url, f"/v1/standings/{HIGH_CARD}")["items"]
    for path_of_projections in tmp_path.glob("games.db-projections*"):
        path_of_projections.unlink()  # they are rebuilt while the package is missing
    with serving(database, site, packages="") as (url, errors):
        found = [each for each in errors.read_text().splitlines() if "cannot go on" in each]
        assert len(found) == 1, found
        (line,) = found
        assert "2 games" in line and f"{HIGH_CARD} of {author.DISTRIBUTION}" in line
        assert {each["id"] for each in ask(url, "/v1/games?acting=me", token=token)["items"]} == {game["id"]}
        assert games_of(url) == listed
        now = ask(url, path, token=token)
        assert now == before[path] | {"view": None, "legal_moves": [], "undo": None}
        assert ask(url, f"{path}/events", token=token)["items"] == hidden  # a stand-in shows what a bystander sees
        whole = [ask(url, place, token=token) for place in kept]
        assert whole[1:] == [before[place] for place in kept[1:]]
        running = ask(url, f"{path}/record", token=token)
        assert running["secret"] is None and [each["event"] for each in running["events"]] == [
            each["event"] for each in hidden
        ]
        for place, body in (("moves", move), ("seats", {}), ("votes", {"on": "abort", "yes": True}), ("moves", None)):
            refused = ask(url, f"{path}/{place}", body, token, status=409)
            assert refused["type"].endswith("rules-missing"), refused
            assert (refused["rules"], refused["package"]) == (f"{HIGH_CARD}/1", author.DISTRIBUTION)
        ask(url, f"/v1/games/{HIGH_CARD}", {"seats": 2}, token, status=404)
        ask(url, f"/v1/games/{HIGH_CARD}/0190ffff-0000-7000-8000-000000000000", status=404)
        ask(url, f"/v1/games/org.example.other/{game['id']}", token=token, status=404)
        ask(url, f"/v1/games/skyjo/{game['id']}", token=token, status=404)
        other = ask(url, "/v1/games/skyjo", {"seats": 2, "hotseat": True}, token)
        assert ask(url, f"/v1/games/skyjo/{other['id']}", token=token)["status"] == "running"
        assert ask(url, path, token=token) == now
        assert "Traceback" not in errors.read_text()
    with serving(database, *installed) as (url, _):
        for place in (waits, *kept):
            assert ask(url, place, token=token) == before[place]
        assert ask(url, f"/v1/standings/{HIGH_CARD}")["items"] == standings
        assert ask(url, path, token=token)["legal_moves"] == before[path]["legal_moves"]
        ask(url, f"{path}/moves", move, token)


@pytest.mark.by_default()
def test_workers_serve_installed_games(installed: tuple[Path, Path], tmp_path: Path):
    with serving(tmp_path / "games.db", *installed, workers=2) as (url, _):
        assert ask(url, played(url)[0])["result"] is not None
