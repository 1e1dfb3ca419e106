"""Duplicate deals: the laws of the arena, its figures against known values, bots over HTTP, bad input."""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean
from threading import Event

import msgspec
import pytest

from agents.arena.boards import Arena, Board, Field, Played, Terms, named_apart, seatings, two_digits
from agents.arena.report import Report
from agents.arena.statistics import (
    Lengths,
    ahead_on,
    by_bootstrap,
    by_t,
    differences,
    holm,
    lengths,
    paired,
    points_on,
    rating,
    standings,
    victories_on,
    weighed,
)
from agents.external import USUAL, Manners
from domain.fairness.record import decode
from domain.fairness.verification import flawless, verify
from domain.means import t_quantile
from domain.rulesets import RULESETS
from domain.searching import Lots
from service.__main__ import main
from tests.support.served_bots import Answering, Served

every_ruleset = pytest.mark.parametrize("name", RULESETS)


def arena(
    name: str, bots: tuple[str, ...], boards: int, seats: int | None = None, seed: int = 0, manners: Manners = USUAL
) -> Arena:
    rules = RULESETS[name]
    terms = Terms(
        rules=rules.rules, options=dict(rules.board), seats=seats or len(bots), bots=named_apart(bots), seed=seed
    )
    field = Field(rules, terms, manners=manners)
    return Arena(terms, tuple([field.play(number).board for number in range(boards)]))


# --- laws ---------------------------------------------------------------------------------------------------------


@every_ruleset
def test_a_bot_against_itself_is_exactly_even_on_every_board(name: str):
    found = arena(name, ("careful", "careful"), 2, seats=3)
    assert paired(found.boards, 0, 1) == [0.0] * 2
    assert len({board.secret for board in found.boards}) == 2
    assert [victories_on(board, 0) - victories_on(board, 1) for board in found.boards] == pytest.approx([0.0] * 2)
    assert all(len({game.head for game in board.games}) == 1 for board in found.boards), "the deals differ"


def seated_once(patch: pytest.MonkeyPatch) -> None:
    """Nobody gets the seats of another."""
    patch.setattr("agents.arena.boards.seatings", lambda *terms: [*seatings(*terms)][:1])


def sharing_dice(patch: pytest.MonkeyPatch) -> None:
    """All bots, in all games, draw from one stream."""
    stream = Lots(1)
    patch.setattr("agents.table.Dice", lambda *_: stream)


@pytest.mark.parametrize("fault", [seated_once, sharing_dice])
def test_a_planted_fault_is_noticed(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        test_a_bot_against_itself_is_exactly_even_on_every_board("skyjo")


def test_permuting_the_names_permutes_the_figures():
    one, other = (
        arena("scout", ("careful", "random", "erring:30"), 2),
        arena("scout", ("erring:30", "careful", "random"), 2),
    )
    by_name = [{s.bot: (s.points, s.victories) for s in standings(found)} for found in (one, other)]
    assert by_name[0].keys() == by_name[1].keys()
    for bot, (points, victories) in by_name[0].items():
        assert points.mean == pytest.approx(by_name[1][bot][0].mean)
        assert victories.mean == pytest.approx(by_name[1][bot][1].mean)


@pytest.mark.checked
def test_worse_bots_are_measured_worse():
    """The more moves are made at random the fewer points."""
    boards = 5
    ahead = [
        paired(arena("scout", (f"erring:{percent}", "careful"), boards, seats=3).boards, 0, 1)
        for percent in (10, 40, 90)
    ]
    means = [sum(sample) / boards for sample in ahead]
    assert 0 > means[0] > means[1] > means[2]


def simulated(dice: Random, boards: int, better: float = 0.0) -> Arena:
    """Games of equal bots, or of one that has more points: luck is common to a board."""
    terms = Terms(rules="x/1", options={}, seats=2, bots=("a", "b"), seed=0)
    found = []
    for number in range(boards):
        games = []
        for seating in ((0, 1), (1, 0)):
            scores = [round(100 * dice.gauss(better if bot == 0 else 0.0, 1)) for bot in seating]
            winner = 0 if scores[0] >= scores[1] else 1
            games.append(Played(seating, (scores[0], scores[1]), (winner,), 1, (), ""))
        found.append(Board(number, "", tuple(games)))
    return Arena(terms, tuple(found))


@pytest.mark.checked
def test_intervals_cover():
    """Of many arenas of equal bots about 5 % call a difference."""
    dice = Random(1)
    called = 0
    for _ in range(400):
        interval = by_t(paired(simulated(dice, 30).boards, 0, 1))
        called += not interval.low <= 0 <= interval.high
    assert 0.02 * 400 <= called <= 0.08 * 400


def test_intervals_that_count_games_instead_of_boards_do_not_cover():
    """The planted fault: games of a board depend on each other, and the law above notices it."""
    dice = Random(2)
    called = 0
    for _ in range(200):
        sample = [value for value in (dice.gauss(0, 1) for _ in range(30)) for _ in range(6)]
        interval = by_t(sample)
        called += not interval.low <= 0 <= interval.high
    assert called > 0.08 * 200


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 5), (5, 5)])
def test_every_bot_has_every_seat_equally_often(bots: int, seats: int):
    found = [*seatings(bots, seats)]
    assert len(found) == len(set(found))
    for seat in range(seats):
        assert len(set(Counter([seating[seat] for seating in found]).values())) == 1
        assert {seating[seat] for seating in found} == set(range(bots))


# --- figures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("free", "value"), [(10, 2.2281), (29, 2.0452), (100, 1.9840)])
def test_quantiles_of_students_t(free: int, value: float):
    assert t_quantile(0.975, free) == pytest.approx(value, abs=1e-3)


def test_the_two_intervals_agree():
    dice = Random(3)
    sample = [dice.gauss(5, 20) for _ in range(80)]
    one, other = by_t(sample), by_bootstrap(sample, 0, resamples=2000)
    assert other.half == pytest.approx(one.half, rel=0.2)
    assert by_bootstrap(sample, 0, resamples=50) == by_bootstrap(sample, 0, resamples=50)


def test_holms_correction():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_ratings_of_two_bots_are_the_odds():
    """Ten to one is 400, but for the half game that is assumed either way."""
    orders = Counter({(1, 0): 2 * 1000, (0, 1): 2 * 100})
    assert rating([orders], 2, 0)[1] == pytest.approx(400, abs=3)


def test_ratings_do_not_depend_on_the_order_of_boards():
    dice = Random(4)
    boards = [Counter({(0, 1, 2): dice.randrange(1, 9), (2, 0, 1): dice.randrange(1, 9)}) for _ in range(9)]
    assert rating(boards, 3, 0) == pytest.approx(rating(boards[::-1], 3, 0))


def test_duplicating_is_worth_what_it_saves():
    """Luck that is common to both games of a board cancels out of the difference."""
    dice = Random(5)
    boards = []
    for number in range(200):
        luck, noise = round(100 * dice.gauss(0, 3)), round(100 * dice.gauss(0, 1))
        games = (Played((0, 1), (luck + noise, 0), (0,), 1, (), ""), Played((1, 0), (luck, noise), (0,), 1, (), ""))
        boards.append(Board(number, "", games))
    terms = Terms(rules="x/1", options={}, seats=2, bots=("a", "b"), seed=0)
    [found] = differences(Arena(terms, tuple(boards)))
    assert found.worth is not None
    assert found.worth > 3


TABLES = [(2, 2), (2, 3), (3, 3), (2, 4), (2, 5), (3, 5), (3, 8)]
"""The numbers of bots and of seats."""


def scored(bots: int, seats: int, score: Callable[[int, Random], int], boards: int = 4) -> Arena:
    """Games in which the points of a seat are those of its bot."""
    dice, found = Random(6), []
    for number in range(boards):
        games = []
        for seating in seatings(bots, seats):
            scores = tuple([score(bot, dice) for bot in seating])
            sure = tuple([each - (sum(scores) - each) / (seats - 1) for each in scores])
            games.append(Played(seating, scores, (scores.index(max(scores)),), 1, (), "", sure))
        found.append(Board(number, "", tuple(games)))
    names = tuple("abc"[:bots])
    return Arena(Terms(rules="skyjo/1", options={}, seats=seats, bots=names, seed=0), tuple(found))


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_a_bot_that_makes_ten_points_more_is_ten_points_better(bots: int, seats: int):
    """However many sit there, and whoever else. What choices explain has the same unit."""
    found = scored(bots, seats, lambda bot, _: 30 - 10 * bot)
    assert [each.points.mean for each in differences(found)][:2] == [10.0, 20.0][: len("abc"[:bots]) - 1]
    assert all(each.points.half == each.bootstrap.half == 0 for each in differences(found))
    assert [each.points.mean for each in weighed(found)] == pytest.approx(
        [each.points.mean for each in differences(found)]
    )


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_differences_are_those_of_the_raw_scores(bots: int, seats: int):
    found = scored(bots, seats, lambda bot, dice: dice.randrange(-50, 200) - 7 * bot)
    for board in found.boards:
        by_game = [
            fmean([
                ours - theirs
                for ours, one in zip(game.scores, game.seating, strict=True)
                for theirs, other in zip(game.scores, game.seating, strict=True)
                if (one, other) == (0, 1)
            ])
            for game in board.games
        ]  # fmt: skip
        assert paired([board], 0, 1) == [pytest.approx(fmean(by_game))]


def test_at_a_table_of_two_the_difference_is_by_how_much_the_first_is_ahead():
    found = arena("skyjo", ("careful", "easy"), 2)
    games = [game for board in found.boards for game in board.games]
    raw = fmean([game.scores[game.seating.index(0)] - game.scores[game.seating.index(1)] for game in games])
    [difference], ahead = differences(found), {each.bot: each.points.mean for each in standings(found)}
    assert difference.points.mean == pytest.approx(raw) == pytest.approx(ahead["careful"])


def test_intervals_of_shares_do_not_leave_what_shares_can_be():
    """The first bot wins all games but one. The second one fails in one that it had lost anyway."""
    found = scored(2, 2, lambda bot, _: 10 - 10 * bot, boards=20)
    game, other = found.boards[0].games
    won = msgspec.structs.replace(game, scores=game.scores[::-1], winners=(game.seating.index(1),))
    failed = msgspec.structs.replace(game, forfeits=(game.seating.index(1),))
    found = Arena(found.terms, (Board(0, "", (won, other)), Board(1, "", (failed, other)), *found.boards[2:]))
    assert by_t([victories_on(board, 0) for board in found.boards]).high > 1, "the case shows nothing"
    assert by_t([ahead_on(board, 0, 1) for board in found.boards]).high > 1, "the case shows nothing"
    shares = [each.victories for each in standings(found)] + [each.ahead for each in differences(found)]
    assert all(-0.5 <= each.low <= each.mean <= each.high <= 1 for each in shares)
    assert {each.bot: each.victories.low < 0 for each in standings(found)} == {"a": False, "b": True}


def test_times_are_kept_to_two_digits():
    assert [two_digits(number) for number in (0, 7, 99, 123, 98765)] == [0, 7, 99, 120, 98000]


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.checked
def test_the_same_command_gives_the_same_results_on_any_number_of_processes(tmp_path: Path):
    for folder, processes in (("one", "1"), ("two", "2")):
        asked = ["arena", "scandaroon", "--bots", "careful", "random", "--seats", "3", "--boards", "2", "--seed", "9"]
        assert main([*asked, "--processes", processes, "--records", "--report", str(tmp_path / folder)]) == 0
    one, two = tmp_path / "one", tmp_path / "two"
    assert one.joinpath("results.json").read_bytes() == two.joinpath("results.json").read_bytes()
    assert {path.name for path in one.iterdir()} == {
        "report.md", "results.json", "boards.svg", "interval.svg", "ratings.svg", "games.ndjson.gz",
    }  # fmt: skip
    results = json.loads(one.joinpath("results.json").read_bytes())
    lines = gzip.decompress(one.joinpath("games.ndjson.gz").read_bytes()).splitlines()
    games = [game for board in results["boards"] for game in board["games"]]
    assert len(lines) == len(games) == 12
    for line, game in zip(lines, games, strict=True):
        record = decode(line)
        assert flawless(verify(record))
        assert record.result is not None
        assert list(record.result.scores) == game["scores"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("scout --bots careful", "at least two bots"),
        ("scout --bots careful random --boards 0", "at least one board"),
        ("scout --bots careful best", "no bot 'best'"),
        ("scout --bots careful deep:0x3", "no bot 'deep:0x3'"),
        ("scout --bots careful nowhere:bot", "No module named 'nowhere'"),
        ("scout --bots careful json:bot", "has no attribute 'bot'"),
        ("scout --bots careful json:__name__", "not a function"),
        ("chess --bots careful random", "no ruleset 'chess'"),
        ("org.example.hearts --bots careful random", "Those of packages need STAMMTISCH_PACKAGES"),
        ("scout --bots careful random --seats 9", "2 to 5 seats"),
        ("scout --bots careful random erring:5 --seats 2", "as many seats"),
        ("scout --bots careful random --option speed=1", "not an option"),
        ("skyjo --bots careful random --option target_points=0", "not valid"),
        ("scout --bots careful random --until 0", "above 0"),
        ("scout --bots careful random --sprt 2,1", "rise"),
        ("scout --bots careful random --records", "--report"),
        ("scout --bots careful random --report .", "exists already"),
    ],
)
def test_bad_input_is_refused(arguments: str, complaint: str, capsys: pytest.CaptureFixture[str]):
    assert main(["arena", *arguments.split()]) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.by_default()
def test_a_sequential_test_stops_early(capsys: pytest.CaptureFixture[str]):
    asked = "arena scandaroon --bots careful random --seats 3 --boards 500 --sprt 0,1 --json"
    assert main(asked.split()) == 0
    assert len(json.loads(capsys.readouterr().out)["boards"]) == 30


def test_games_that_do_not_end_are_given_up_and_counted(monkeypatch: pytest.MonkeyPatch):
    """Nobody wins them."""
    monkeypatch.setattr("agents.arena.boards.MOST", 30)
    found = arena("skyjo", ("careful", "random"), 2)
    assert {game.choices for board in found.boards for game in board.games} == {30}
    assert victories_on(found.boards[0], 0) == victories_on(found.boards[0], 1) == 0
    assert lengths(found) == Lengths(30, 30, 4)
    assert "Moves in a game: median 30, longest 30; 4 given up." in Report(found, [Counter(), Counter()]).lines()


# --- bots that are functions --------------------------------------------------------------------------------------


FIRST = "def first(view, seat, moves, dice): return 0"
NONE_OF_THEM = "def beyond(view, seat, moves, dice): return len(moves)"


def test_a_function_of_a_module_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Modules of the current folder are found, by other processes too. What is no legal move forfeits."""
    tmp_path.joinpath("my_bots.py").write_text(f"{FIRST}\n{NONE_OF_THEM}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    asked = ["arena", "scout", "--bots", "my_bots:first", "my_bots:beyond", "--boards", "2", "--json"]
    assert main([*asked, "--processes", "2"]) == 0
    games = [game for board in json.loads(capsys.readouterr().out)["boards"] for game in board["games"]]
    assert {tuple(game["forfeits"]) for game in games if game["seating"] == [0, 1]} == {(1,)}
    assert {tuple(game["forfeits"]) for game in games if game["seating"] == [1, 0]} == {(0,)}


# --- bots over HTTP -------------------------------------------------------------------------------------------------


def test_a_bot_over_http_plays(serve: Callable[[Answering], Served]):
    """It is shown its view, the legal moves and the events that its seat has seen, and no more."""
    first = serve(lambda _: b'{"index":0}')
    found = arena("scout", (first.url, "careful"), 1)
    assert [game.forfeits for board in found.boards for game in board.games] == [(), ()]
    assert points_on(found.boards[0], 0) + points_on(found.boards[0], 1) == 0
    asked = first.asked[-1]
    assert set(asked) == {"ruleset", "seat", "view", "legal", "seen", "game", "think"}
    assert asked["ruleset"] == "scout/1"
    seat = asked["seat"]
    assert None not in asked["view"]["hands"][seat]
    assert set(map(str, asked["view"]["hands"][1 - seat])) <= {"None"}
    dealt = next(event for event in asked["seen"] if event["type"] == "dealt")
    assert set(map(str, dealt["hands"][1 - seat])) == {"None"}


@pytest.mark.parametrize(
    "answer",
    [b'{"index":100000}', b'{"index":-1}', b"not json", b'{"move":1}', b'{"index":0.5}', b"", "nobody", "late"],
)
def test_a_bot_that_fails_forfeits(answer: bytes | str, serve: Callable[[Answering], Served]):
    manners = Manners(think=0.05) if answer == "late" else USUAL
    over = Event()
    late = lambda: b'{"index":0}' if over.wait(60) else b""  # noqa: E731
    failing = serve(lambda _: answer if isinstance(answer, bytes) else late())
    url = "http://127.0.0.1:9" if answer == "nobody" else failing.url
    try:
        found = arena("scandaroon", (url, "careful"), 1, seats=3, manners=manners)
    finally:
        over.set()
    assert {s.bot: s.forfeits for s in standings(found)} == {url: 9, "careful": 0}
    assert all(
        set(game.forfeits) == {seat for seat, bot in enumerate(game.seating) if bot == 0}
        for game in found.boards[0].games
    )
    assert victories_on(found.boards[0], 0) == pytest.approx(1 / 3 - 1)
    told = Report(found, [Counter(), Counter()]).lines()
    assert any("9 forfeits" in line for line in told)


def test_partners_are_the_same_bot_and_every_bot_has_every_team():
    assert [*seatings(2, 4, ((0, 2), (1, 3)))] == [(0, 1, 0, 1), (1, 0, 1, 0)]


# --- without luck -----------------------------------------------------------------------------------------------------


def test_choices_alone_compare_bots_with_less_noise():
    """Points are what choices bring and luck. Without luck the same difference takes fewer boards."""
    stream, boards = Lots(1), []
    for number in range(60):
        luck, skill = float(stream.below(41) - 20), float(stream.below(5))
        games = (
            Played((0, 1), (int(skill + luck), 0), (0,), 1, (), "", (skill, -skill)),
            Played((1, 0), (0, int(skill)), (0,), 1, (), "", (-skill, skill)),
        )
        boards.append(Board(number, "", games))
    terms = Terms(rules="skyjo/1", options={}, seats=2, bots=("a", "b"), seed=0)
    [found] = weighed(Arena(terms, tuple(boards)))
    assert (found.one, found.other) == ("a", "b")
    assert found.points.mean == pytest.approx(fmean([board.games[0].chosen[0] for board in boards]))
    assert found.saves > 10
    unweighed = msgspec.structs.replace(boards[0].games[0], chosen=msgspec.UNSET)
    assert weighed(Arena(terms, (Board(0, "", (unweighed,)), *boards))) == []


@pytest.mark.by_default()
def test_the_arena_weighs_the_choices_of_its_games():
    rules = RULESETS["scout"]
    terms = Terms(rules=rules.rules, options={}, seats=2, bots=("careful", "random"), seed=0)
    found = Arena(terms, (Field(rules, terms, review=True).play(0).board,))
    for game in found.boards[0].games:
        assert sum(game.chosen) == 0
        assert game.chosen[game.seating.index(1)] < 0
    said = "\n".join(Report(found, [Counter(), Counter()]).lines())
    assert "points by choices alone" in said
    assert Arena(terms, (Field(rules, terms).play(0).board,)).boards[0].games[0].chosen is msgspec.UNSET
