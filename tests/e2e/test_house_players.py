"""A person and two house players, from the first request to the replay of the record, on a server of its own."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.support.clients import Server, any_of
from tests.support.forked import run_command

ENTROPY = "six dice: 4 1 6 6 2 3"


def answer(response: httpx.Response, status: int = 200) -> Any:
    assert response.status_code == status, response.text
    return response.json()


def played(http: httpx.Client, ruleset: str) -> tuple[str, Any]:
    """The path of a game of the first seat against two bots, and the game at its end."""
    seats = ["open", "careful/1", "random/1"]
    game = answer(http.post(f"/v1/games/{ruleset}", json={"seats": seats, "sit": False}), 201)
    assert (game["status"], game["you"]) == ("waiting", None)
    path = game["links"]["self"]
    # Now that the secret is committed to: so nobody can have chosen the deals or the dice of the bots.
    game, dice = answer(http.post(f"{path}/seats", json={"entropy": ENTROPY})), Random(1)
    while game["status"] == "running":
        assert game["to_act"] == [0], "the bots have moved in the same append"
        game = answer(http.post(f"{path}/moves", json=any_of(game["legal_moves"], dice)))["game"]
    return path, game


@pytest.mark.turns("rulesets")
@pytest.mark.parametrize("ruleset", ["scout", "scandaroon"])
def test_a_game_against_two_bots_ends_verifies_and_replays(tmp_path: Path, ruleset: str) -> None:
    with Server(tmp_path / "games.db") as server, httpx.Client(base_url=server.url, timeout=60) as http:
        token = answer(http.post("/v1/players", json={"name": "Ann"}), 201)["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        path, game = played(http, ruleset)
        audit = answer(http.get(f"{path}/audit"))
        record = http.get(f"{path}/record")
    assert (game["status"], len(game["result"]["scores"])) == ("finished", 3)
    assert audit["ok"], audit
    assert {check["name"]: check["ok"] for check in audit["checks"]}["bots"] is True
    assert answer(record)["seats"][0]["entropy"] == ENTROPY
    assert {entry["by"] for entry in answer(record)["events"] if "move" in entry} == {0, 1, 2}

    file = tmp_path / "record.json"
    file.write_bytes(record.content)
    verified = run_command("verify", "--json", "--head", game["head"], file, environment=dict(os.environ))
    assert verified.returncode == 0, verified.stdout + verified.stderr
    checks = {check["name"]: check["ok"] for check in json.loads(verified.stdout)["checks"]}
    assert checks["bots"] is checks["deals"] is checks["receipt"] is True
    for version in (1, game["version"] // 2, game["version"]):
        shown = run_command("replay", file, "--at", str(version), environment=dict(os.environ))
        assert shown.returncode == 0, shown.stderr
        assert str(version) in shown.stdout
    assert "result: scores" in shown.stdout
