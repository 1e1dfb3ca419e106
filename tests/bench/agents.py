"""Bots and environments: steps of an environment, imagined worlds, the arena, recorded games under changed rules.

All are processor time of one core.
"""

from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time

from agents.arena.boards import Field, Terms, named_apart
from agents.bots import bot_named
from agents.comparing import Change, compared
from agents.table import Question, Rules, Table
from agents.training.zoo import table
from domain.codec import encode
from domain.fairness.record import decode
from domain.rulesets import RULESETS
from domain.searching import Lots
from tests.bench.peers.installed import Played
from tests.verifiers import samples

SEATS = 3
SEED = 24

Row = tuple[str, str, str, str]


def stepped(name: str, seconds: float) -> Played:
    """Random episodes through `last()`, for this many seconds."""
    env, choose = table(name, SEATS, options=dict(RULESETS[name].board)), Random(1).random
    steps = rounds = 0
    begun = process_time()
    while (taken := process_time() - begun) < seconds:
        env.reset(seed=rounds)
        seen, _, over, _, _ = env.last()
        while not over:
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(choose() * len(legal))]))
            seen, _, over, _, _ = env.last()
            steps += 1
        rounds += 1
    return Played(steps, rounds, taken)


def moved(name: str, seconds: float) -> Played:
    """The same games without observations and numbers of actions."""
    rules, choose = RULESETS[name], Random(1).random
    bots = [bot_named(rules, "random")] * SEATS
    moves = rounds = 0
    begun = process_time()
    while (taken := process_time() - begun) < seconds:
        playing = Table(rules, rules.options(**rules.board), bots, rounds.to_bytes(32, "big"))
        while playing.acting is not None:
            legal = rules.legal(playing.view(playing.acting), playing.acting)
            playing.move(legal[int(choose() * len(legal))])
            moves += 1
        rounds += 1
    return Played(moves, rounds, taken)


def questions(rules: Rules, seats: int, games: int) -> Iterator[Question]:
    """Every tenth choice in boards of `careful`."""
    bots = [bot_named(rules, "careful")._replace(looks_back=True)] * seats
    for game in range(games):
        playing = Table(rules, rules.options(**rules.board), bots, bytes([game]) * 32)
        while playing.acting is not None:
            question = playing.question()
            if len(playing.moves) % 10 == 0:
                yield question._replace(seen=[*question.seen])
            playing.move(question.legal[bots[0].choose(question)])


def imagined(rules: Rules, seats: int, games: int) -> list[float]:
    """Seconds for each world, rising; each of five worlds at a choice."""
    found = []
    for question in questions(rules, seats, games):
        begun = process_time()
        for world in range(5):
            rules.imagine(question.initial, question.seen, question.seat, Lots(world))
        found.append((process_time() - begun) / 5)
    return sorted(found)


def arena(name: str, bot: str, boards: int) -> float:
    """Moves per second when this bot plays itself."""
    rules = RULESETS[name]
    bots = named_apart([bot] * SEATS)
    field = Field(rules, Terms(rules=rules.rules, options=dict(rules.board), seats=SEATS, bots=bots, seed=SEED))
    begun = process_time()
    moves = sum([game.choices for number in range(boards) for game in field.play(number).board.games])
    return moves / (process_time() - begun)


def compared_games(games: int) -> tuple[float, float]:
    """Whole random games of the first ruleset per second, read and compared, and their moves."""
    rules = next(iter(RULESETS.values()))
    texts = [encode(samples.finished(rules, SEATS, seed)) for seed in range(games)]
    change = Change(rules)
    begun = process_time()
    records = [decode(text) for text in texts]
    assert all((found := compared(each, change)) and found.outcome == "same" for each in records)
    return games / (process_time() - begun), median([len(each.events) for each in records])


def rows(quick: bool) -> Iterator[Row]:
    seconds = 0.3 if quick else 3.0
    for name, rules in RULESETS.items():
        ours, floor = stepped(name, seconds), moved(name, seconds)
        rate, least = ours.moves / ours.seconds, floor.moves / floor.seconds
        against = f"{least:,.0f}/s: its moves alone"
        yield (f"{name}: steps of the environment", f"{rate:,.0f}/s", against, f"{rate / least:.2f}")
        times = imagined(rules, rules.seats[0], 1 if quick else 10)
        what, worst = f"{median(times) * 1e6:.0f} µs", f"{times[-1] * 1e6:.0f} µs: the longest"
        yield (f"a world imagined: {name}", what, worst, "-")
        moves = arena(name, "careful", 1 if quick else 20)
        yield (f"moves of `careful` in the arena: {name}", f"{moves:,.0f}/s", "-", "-")
    yield ("moves of `random` in the arena: scout", f"{arena('scout', 'random', 2 if quick else 40):,.0f}/s", "-", "-")
    games, events = compared_games(5 if quick else 50)
    yield (f"recorded games of {events:.0f} events compared", f"{games:,.0f}/s", "-", "-")
