"""Environments: the laws, the tests of PettingZoo and Gymnasium, planted faults."""

import os
import warnings
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from agents.training.gym import SeatEnv, vector
from agents.training.zoo import HIGHEST, LOWEST, TableEnv, table
from domain.fairness.record import decode
from domain.fairness.verification import flawless, verify
from domain.ruleset import Ruleset
from domain.rulesets import RULESETS
from stammtisch.testing.imagined import Lots

GAMES = int(os.environ.get("TRAIN_GAMES", "100"))
"""Of each table, with `--everything`; nightly a thousand."""

every_ruleset = pytest.mark.parametrize("name", RULESETS)
TABLES = [pytest.param(name, seats, id=f"{name}-{seats}") for name, rules in RULESETS.items() for seats in rules.seats]


def every_table(test: Any) -> Any:
    """By default with the fewest seats only."""
    few = [f"{rules.name}-{rules.seats[0]}" for rules in RULESETS.values()]
    return pytest.mark.by_default(*few)(pytest.mark.parametrize(("name", "seats"), TABLES)(test))


def short(name: str, seats: int, **terms: Any) -> TableEnv:
    return table(name, seats, options=dict(RULESETS[name].board), **terms)


def played(env: TableEnv, seed: int, most: int = 10_000) -> list[int]:
    """A random game. Returns the actions."""
    env.reset(seed=seed)
    dice, actions = Random(seed), list[int]()
    while not env.last()[2] and len(actions) < most:
        legal = np.flatnonzero(env.last()[0]["action_mask"])
        actions.append(int(legal[dice.randrange(len(legal))]))
        env.step(actions[-1])
    return actions


@every_table
def test_pettingzoo_accepts_it(name: str, seats: int, everything: bool):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that spaces are probably boxes; action masks need a dictionary
        api_test(short(name, seats), num_cycles=1000 if everything else 30)
        seed_test(lambda: short(name, seats), num_cycles=100 if everything else 10)


@every_table
def test_the_laws_of_observations_and_actions(name: str, seats: int, everything: bool):
    """Every legal move has a number of its own, which stands for it; the mask is what is legal, and follows from the
    numbers of the observation; their length and bounds never change.
    """
    env, masks = short(name, seats), dict[bytes, bytes]()
    space = env.observation_space("seat_0")["observation"]
    for seed in range(GAMES if everything else 1):
        env.reset(seed=seed)
        dice, steps = Random(seed), 0
        while not env.last()[2] and steps < 400:
            steps += 1
            seen, _, _, _, info = env.last()
            seat = info["seat"]
            legal = env.rules.legal(env.table.state, seat)
            numbers = env.actions.of(legal)
            assert len(set(numbers)) == len(legal) == info["legal"] == seen["action_mask"].sum() > 0
            assert sorted(numbers) == [*np.flatnonzero(seen["action_mask"])]
            assert all(env.actions.moves[number] in (None, move) for number, move in zip(numbers, legal, strict=True))
            exact = env.rules.features(env.table.view(seat), seat)
            assert len(exact) == space.shape[0]
            assert min(exact) >= LOWEST
            assert max(exact) <= HIGHEST
            mask = seen["action_mask"].tobytes()
            assert masks.setdefault(seen["observation"].tobytes(), mask) == mask, "equal tensors, other masks"
            env.step(numbers[dice.randrange(len(numbers))])


@every_ruleset
def test_observations_show_nothing_that_the_seat_does_not_see(name: str):
    """In another world in which the seat has seen the same, the numbers are the same; those of the truth are not."""
    rules, peeked = RULESETS[name], False
    env = short(name, rules.seats[0])
    for seed in range(3):
        actions = played(env, seed, 25 + 10 * seed)
        events = events_of(env, seed, actions)
        for seat in range(rules.seats[0]):
            view, initial = env.table.view(seat), env.table.initial
            seen = [rules.redact(event, seat) for event in events]
            other = rules.fold(initial, rules.imagine(initial, seen, seat, Lots(seed)))
            again = rules.view(initial, rules.imagine(initial, seen, seat, Lots(seed)), seat)
            assert rules.features(again, seat) == rules.features(view, seat)
            peeked |= features_of_all(rules, other) != features_of_all(rules, env.table.state)
    assert peeked, "the numbers of the truth tell the worlds apart"


def events_of(env: TableEnv, seed: int, actions: Sequence[int]) -> list[Any]:
    """All events of the game with these actions."""
    env.reset(seed=seed)
    for action in actions:
        env.step(action)
    return env.table.events


def features_of_all(rules: Ruleset[Any, Any, Any], state: Any) -> list[list[int]]:
    return [rules.features(state, seat) for seat in range(len(rules.standing(state)))]


@every_ruleset
@pytest.mark.parametrize("reward", ["win", "points", "round"])
def test_rewards_add_up_to_nothing_and_follow_the_result(name: str, reward: Any):
    env = short(name, RULESETS[name].seats[0], reward=reward)
    played(env, 5)
    sums = {agent: env._cumulative_rewards[agent] for agent in env.possible_agents}
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert sum(sums.values()) == pytest.approx(0)
    result = env.table.result
    assert result is not None
    if reward == "win" and len(result.winners) == 1:
        assert max(env.rewards, key=env.rewards.__getitem__) == f"seat_{result.winners[0]}"


def test_an_episode_is_a_game_that_can_be_verified():
    """The environment and the record of the same moves agree."""
    env = short("scandaroon", 3)
    played(env, 8)
    record = decode(env.record())
    assert flawless(verify(record))
    assert record.result == env.table.result


def test_an_illegal_action_changes_nothing():
    env = short("skyjo", 2)
    env.reset(seed=1)
    before = env.table.state, env.agent_selection, env.observe("seat_0")["observation"].tobytes()
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    for action in (illegal, -1, 10**6, None):
        with pytest.raises(ValueError, match="not legal"):
            env.step(action)
    assert (env.table.state, env.agent_selection, env.observe("seat_0")["observation"].tobytes()) == before


def test_the_seed_determines_everything():
    one, other, third = short("scout", 3), short("scout", 3), short("scout", 3)
    assert played(one, 3) == played(other, 3)
    assert one.table.state == other.table.state
    assert played(third, 4) != played(one, 3)


def test_bots_play_the_other_seats():
    env = short("scout", 3, opponents=["careful", None, "random"])
    played(env, 2)
    assert env.possible_agents == ["seat_1"]
    assert env.table.result is not None
    with pytest.raises(ValueError, match="2 opponents for 3 seats"):
        short("scout", 3, opponents=["careful", None])


@pytest.mark.parametrize("name", ["skyjo", "scopinion"])
def test_gymnasium_accepts_one_seat(name: str):
    """The checker plays random actions, so it is handed an environment that turns illegal ones into legal ones."""
    env = Forgiving(name, opponents=("random",), options=dict(RULESETS[name].board))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


class Forgiving(SeatEnv):
    def step(self, action: int) -> Any:
        legal = np.flatnonzero(self.table.observe(self.agent)["action_mask"])
        return super().step(int(legal[int(action) % len(legal)]))


def test_a_seat_is_rewarded_for_what_happens_until_it_acts_again():
    env = SeatEnv("skyjo", ("random",), seat=1, reward="points", options={"target_points": 1})
    seen, info = env.reset(seed=3)
    dice, total, over = Random(3), 0.0, False
    while not over:
        legal = np.flatnonzero(seen["action_mask"])
        assert len(legal) == info["legal"]
        seen, reward, over, _, info = env.step(int(legal[dice.randrange(len(legal))]))
        total += reward
    scores = env.table.rules.standing(env.table.table.state)
    assert total == pytest.approx(scores[1] - scores[0])


@pytest.mark.by_default()
def test_several_environments_in_processes():
    envs = vector(2, "skyjo", opponents=("random",))
    try:
        seen, _ = envs.reset(seed=1)
        actions = [int(np.flatnonzero(mask)[0]) for mask in seen["action_mask"]]
        first, _ = SeatEnv("skyjo", ("random",)).reset(seed=1)
        assert (seen["observation"][0] == first["observation"]).all(), "the seed determines the game in every process"
        after, rewards, *_ = envs.step(actions)
        assert after["observation"].shape == seen["observation"].shape
        assert rewards.shape == (2,)
    finally:
        envs.close()
