"""The loop of TextArena over every ruleset: `make harnesses` runs this in an environment of its own."""

import random
import re

import pytest
import stammtisch_textarena
import textarena as ta

LISTED = re.compile(r"(?:^|[:;,] )(\d+)(?:-(\d+))?\. ", re.MULTILINE)
"""The number of a move, or the first and the last of a range."""
GAMES = [name for name in ta.envs.registration.ENV_REGISTRY if name.startswith("Stammtisch-")]


def played(name: str, seed: int, wrong: float = 0.0) -> tuple[list[tuple[int, str]], dict[int, float], dict[int, dict]]:
    """Seats and observations of a game of random choices, the rewards, what is said of each seat."""
    dice, seen = random.Random(seed), []
    env = ta.make(name)
    env.reset(num_players=3, seed=seed)
    done = False
    while not done:
        seat, observation = env.get_observation()
        seen.append((seat, observation))
        choices = observation[observation.rindex("Your choice") :]
        last = max(int(high or low) for low, high in LISTED.findall(choices))
        number = 9999 if dice.random() < wrong else dice.randint(1, last)
        done, _ = env.step(action=f"Of the {last} moves I take [{number}]")
    return seen, *env.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_ends_with_rewards_that_add_up_to_nothing(name: str) -> None:
    seen, rewards, told = played(name, 7)
    assert {seat for seat, _ in seen} == {0, 1, 2} == set(rewards)
    assert abs(sum(rewards.values())) < 1e-9
    assert not any(each["invalid_move"] for each in told.values())
    assert max(len(observation.encode()) for _, observation in seen) < 4000
    assert played(name, 7)[1] == rewards


@pytest.mark.parametrize("name", GAMES[:2])
def test_answers_that_name_no_move_do_not_end_the_game_of_all(name: str) -> None:
    seen, rewards, told = played(name, 7, wrong=0.3)
    assert any("There is no move 9999" in observation for _, observation in seen)
    assert len(rewards) == 3
    assert all(each["invalid_move"] for each in told.values())


def test_the_last_number_in_brackets_counts() -> None:
    assert [stammtisch_textarena.named(text) for text in ("[3] no, [12]", "I take 4", "none", "7 or [2]")] == [
        12,
        4,
        0,
        2,
    ]
