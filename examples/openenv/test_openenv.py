"""Games over OpenEnv's own client and its validator: `make harnesses` runs this in an environment of its own."""

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from openenv.core.generic_client import GenericEnvClient

from domain.rulesets import RULESETS

HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=[*RULESETS][:3:2])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "RULESET": request.param, "PORT": str(port)}
    process = subprocess.Popen([sys.executable, HERE / "stammtisch_openenv.py"], env=environment)
    try:
        while True:
            assert process.poll() is None
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def played(url: str, seed: int) -> tuple[list[str], float, dict[str, object]]:
    """The texts of a game of random moves, the reward, the last state."""
    dice, texts = random.Random(1), []
    with GenericEnvClient(base_url=url).sync() as client:
        result = client.reset(seed=seed)
        while not result.done:
            texts.append(result.observation["text"])
            result = client.step({"number": dice.randint(1, result.observation["moves"])})
        return texts, result.reward, client.state()


def test_a_seed_gives_the_same_game_and_another_seed_another_one(url: str) -> None:
    texts, reward, state = played(url, 3)
    assert played(url, 3)[:2] == (texts, reward)
    assert played(url, 4)[0] != texts
    points = state["points"]
    assert reward == points[0] - sum(points[1:]) / (len(points) - 1)
    assert state["step_count"] == len(texts)
    assert all("\nYour choice: " in text for text in texts)


def test_a_number_that_is_not_listed_changes_nothing(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as client:
        client.reset(seed=3)
        with pytest.raises(RuntimeError, match="There is no move 9999"):
            client.step({"number": 9999})
        assert client.state()["step_count"] == 0


def test_openenv_validates_it(url: str) -> None:
    report = subprocess.run(
        [Path(sys.executable).with_name("openenv"), "validate", "--url", url, "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(report.stdout)
    assert report.returncode == 0, found
