"""The review: the parts of a result add up, nothing is claimed that was not measured, and everybody gets the same."""

import re
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import cache
from typing import Any

import pytest
from msgspec import UNSET, structs

from agents.bots import bot_named
from agents.review import accounts, job, weighing, wording
from agents.review.document import document
from agents.review.hints import hint
from agents.review.job import in_processes, review, reviewed
from agents.review.moments import Moment, moments, outcomes, whole
from agents.review.page import page
from agents.review.played import Made, NotReviewable, Played, of_record
from agents.review.values import SameLots, Valuation
from agents.review.weighing import Progress, Weighing, first_of, in_this_process, thresholds
from agents.review.wording import LANGUAGES, Wording
from agents.table import Question, Table
from domain.codec import canonical, encode
from domain.fairness import record
from domain.fairness.record import Record
from domain.game import Game, Gone, Rejoined, Rules, TakenBack, evolve
from domain.imagining import NothingImagined
from domain.means import FEWEST, player_mean
from domain.messages import Value
from domain.review import CATEGORIES, Mean, Review
from domain.ruleset import Yardstick
from domain.rulesets import RULESETS
from service.process import packages
from stammtisch.testing.seats import Sitting, places
from tests.agents import same_review
from tests.agents.same_review import CHEAP, hash_of
from tests.golden import folder, read
from tests.verifiers import samples

SCOUT = RULESETS["scout"]
QUICK = "skyjo", "scout"
"""Rulesets whose reviews are quick: `make test` reviews their games, `make check` those of the others."""


def some(rules: Rules, *more: Any, id: str) -> Any:
    return pytest.param(rules, *more, id=id, marks=() if rules.name in QUICK else pytest.mark.checked)


every_ruleset = pytest.mark.parametrize("rules", [some(rules, id=name) for name, rules in RULESETS.items()])


@pytest.fixture(autouse=True)
def plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weighing.PLANS, "cheap", CHEAP)


GOLDEN = [
    some(rules, file.stem, id=f"{rules.rules}-{file.stem}")
    for rules in RULESETS.values()
    for file in sorted(folder(rules).glob("*.jsonl"))
    if "given-up" not in file.stem
]
HASHES = {
    "skyjo": "9e222e2410dc4e7b", "skyjo_action": "04bc0d76a656e19a", "scout": "32fd7cf916a2e8ca",
    "scopinion": "0d8476dbecf5a589", "scandaroon": "f8d9264e3df30ad9",
}  # fmt: skip
"""Of the review of some choices of the golden game `3-seats`, by this format. A change of the policy, of the plan or of
a threshold needs a new format."""


def golden(rules: Rules, name: str) -> Record[Any, Any, Any, Any]:
    played, _ = read(rules, folder(rules) / f"{name}.jsonl")
    return record.of(played.id, played.log)


@cache
def game(rules: Rules, name: str = "3-seats") -> Played:
    return of_record(golden(rules, name))


@cache
def weighed(rules: Rules, name: str = "3-seats") -> Weighing:
    return same_review.weighed(game(rules, name))


def final(rules: Rules) -> Review[Any]:
    return document(game(rules), weighed(rules), "cheap", final=True)


# --- figures ----------------------------------------------------------------------------------------------------------


@pytest.mark.by_default("-3-seats]", "scout/1-branch]")
@pytest.mark.parametrize(("rules", "name"), GOLDEN)
def test_the_parts_add_up_to_the_result(rules: Rules, name: str):
    """As fractions for every seat and round, in tenths in the document; so do the steps of the curve and the effects of
    all choices, before they are rounded."""
    played, found = game(rules, name), weighed(rules, name)
    results, others = outcomes(played), played.seats - 1
    assert all(sum(outcome) == 0 for outcome in (*results, whole(results)))
    for place, outcome in enumerate(results):
        made = [each for each in found.all if each.moment.round == place]
        for seat in range(played.seats):
            for shrunk in (False, True):
                split = accounts.account(outcome, made, seat, shrunk=shrunk)
                assert split.result == split.luck + split.errors + split.finds + split.others
                assert split.result * others == outcome[seat]
            points = accounts.curve(outcome, made, seat)
            effects = sum(accounts.effect(each, seat) * accounts.kept(each) for each in made)
            assert sum(point.luck for point in points) * others + effects == outcome[seat]
            assert sum(point.luck for point in points) == split.luck
    shown: Review[Any] = document(played, found, "cheap", final=True)
    assert sum(len(each.curves[0]) for each in shown.rounds) == len(results) + sum(
        each.moment.seat == 0 for each in found.all
    )
    for row in (*shown.accounts, *[row for each in shown.rounds for row in each.accounts]):
        assert round(10 * row.result) == sum(round(10 * part) for part in (row.luck, row.errors, row.finds, row.others))
    for seat, row in enumerate(shown.accounts):
        points_of = played.rules.standing(played.rules.fold(played.initial, played.events))
        assert abs(row.result - (points_of[seat] - (sum(points_of) - points_of[seat]) / others)) <= 0.051


@every_ruleset
def test_a_review_is_the_same_everywhere(rules: Rules):
    """On every machine, with every seed of its hashes. `make interpreters` compares versions of Python."""
    assert hash_of(game(rules), weighed(rules)) == HASHES[rules.name]


def test_random_numbers_depend_on_random_alone():
    """`Random.shuffle` can change with the version of Python."""
    lots = SameLots(1)
    assert ["".join(lots.shuffled("abcdefg")) for _ in range(2)] == ["cgebdfa", "bdcfage"]
    assert [lots.below(10) for _ in range(5)] == [7, 0, 4, 7, 2]


@pytest.mark.checked
def test_processes_share_the_work_without_a_difference():
    whole_record = samples.shortest(RULESETS["scout"], 2)
    with ExitStack() as stack:
        work = in_processes(stack, encode(record.complete(whole_record)), 2, packages.load)
        shared = [canonical(step) for step in review(whole_record, "cheap", work=work)]
    assert shared == [canonical(step) for step in steps()]


def test_processes_that_cannot_start_end_the_review():
    whole_record = samples.shortest(RULESETS["scout"], 2)
    with ExitStack() as stack, pytest.raises(BrokenProcessPool):
        work = in_processes(stack, encode(record.complete(whole_record)), 2, str)  # they have no rulesets
        list(review(whole_record, "cheap", work=work))


@cache
def steps(seats: tuple[int, ...] | None = None) -> list[Any]:
    """Of the review of a whole game."""
    return [*reviewed(of_record(samples.shortest(RULESETS["scout"], 2)), "cheap", seats)]


def test_accounts_do_not_depend_on_the_reviewed_seats():
    everybody, of_a_seat = steps()[-1], steps((1,))[-1]
    assert of_a_seat.accounts == everybody.accounts
    assert of_a_seat.choices == tuple(choice for choice in everybody.choices if choice.seat == 1) != ()


def test_accounts_are_measured_to_the_end(monkeypatch: pytest.MonkeyPatch):
    """Not by the cards on the table some turns later, as the check is: its small bias would add up."""
    tried = dict[str, set[bool]]()

    def nothing(_: Valuation, moment: Moment, moves: list[int], purpose: str, __: int, *, whole: bool = True) -> Any:
        tried.setdefault(purpose, set()).add(whole)
        return [(move == moment.made,) * 3 for move in moves]

    monkeypatch.setattr(Valuation, "tried", nothing)
    played = game(RULESETS["skyjo"])
    values, chosen = Valuation(played.rules, played.head), [*moments(played)][::9]
    assert values.turns
    reviewing = Weighing(values, chosen, CHEAP, range(played.seats), in_this_process(values, chosen))
    for phase in (reviewing.first, reviewing.refine):
        [*phase()]
    assert tried == {"sift": {False}, "check": {False}}
    tried.clear()
    assert [*reviewing.accounts()]
    assert tried == {"check": {True}}
    assert reviewing.all
    assert {each.checked is None or len(each.checked) for each in reviewing.all if each.house != each.moment.made} == {
        CHEAP.account
    }


def test_a_review_is_two_documents_with_progress_before_each():
    found = [step for step in steps() if isinstance(step, Review)]
    assert [each.state for each in found] == ["first", "final"]
    assert found[-1] is steps()[-1]
    assert isinstance(steps()[0], Progress)
    for phase in ("first", "accounts"):
        done = [step for step in steps() if isinstance(step, Progress) and step.phase == phase]
        assert [each.done for each in done] == [*range(1, done[0].all + 1)]


# --- what is claimed --------------------------------------------------------------------------------------------------


@every_ruleset
def test_only_refined_choices_are_claimed_and_only_at_the_end(rules: Rules):
    first, last = (document(game(rules), weighed(rules), "cheap", final=final) for final in (False, True))
    assert all(choice.category is UNSET for choice in first.choices)
    claims = [choice for choice in last.choices if choice.category is not UNSET]
    for choice in claims:
        assert choice.refined
        assert choice.best is not UNSET
        assert choice.loss - weighing.SURE * choice.error >= last.thresholds[CATEGORIES.index(choice.category)] - 0.02
    assert claims or rules.name != "scout"
    outstanding = weighed(rules).outstanding
    assert outstanding() or not claims


def test_house_players_are_not_listed():
    """From the beginning, and while they play for a player who has left."""
    rules = RULESETS["skyjo"]
    sitting = Sitting(rules)
    sitting.open(places("random/1", None, None), bytes(32), rules.options(target_points=1), absent="careful/1")
    sitting.play(most=4)
    sitting.abandon(1)
    sitting.play(most=4)
    sitting.rejoin(1)
    sitting.play()
    played = of_record(samples.record_of(sitting.game.id, samples.log_of(rules, sitting.decisions)))
    for made in played.moves:
        assert made.by_bot == (made.seat == 0 or (made.seat == 1 and gone(sitting, made.version)))
    assert any(made.by_bot and made.seat == 1 for made in played.moves)
    found = [*moments(played)]
    values = Valuation(rules, played.head)
    reviewing = Weighing(values, found, CHEAP, range(3), in_this_process(values, found))
    assert {found[place].seat for place in reviewing.own} == {1, 2}
    assert not any(found[place].by_bot for place in reviewing.own)
    assert all(found[place].by_bot for place in reviewing.unlike())


def gone(sitting: Sitting, version: int) -> bool:
    """Whether the player of seat 1 has left by then, and not come back."""
    kinds = [type(event) for event in sitting.events[: version - 1]]
    return kinds.count(Gone) > kinds.count(Rejoined)


def test_forced_moves_are_not_listed():
    played = game(RULESETS["scandaroon"])
    listed = {moment.number for moment in moments(played)}
    state, told = played.initial, 0
    for number, made in enumerate(played.moves):
        state = played.rules.fold(state, played.events[told : made.after])
        told = made.after
        assert (number in listed) == (len(played.rules.legal(state, made.seat)) > 1)
    assert 0 < len(listed) < len(played.moves)


@pytest.mark.by_default("scout")
@every_ruleset
def test_moves_that_were_taken_back_are_not_reviewed(rules: Rules):
    whole_record = samples.with_undo(rules)["agreed"]
    taken = {
        version
        for entry in whole_record.events
        if isinstance(entry.event, TakenBack)
        for version in range(entry.event.to + 1, entry.version)
    }
    played = of_record(whole_record)
    assert taken
    assert not taken & {made.version for made in played.moves}
    truth = Game(whole_record.id)
    for entry in whole_record.events:
        truth = evolve(rules, truth, entry.event)
    assert rules.fold(played.initial, played.events) == truth.state


def test_a_choice_without_a_world_is_not_weighed(monkeypatch: pytest.MonkeyPatch):
    played = of_record(samples.shortest(RULESETS["scout"], 2))
    tried, seen = Valuation.world, []

    def nothing_for_seat_1(self: Valuation, moment: Moment, seed: int) -> Any:
        if moment.seat:
            seen.append(moment.version)
            raise NothingImagined
        return tried(self, moment, seed)

    monkeypatch.setattr(Valuation, "world", nothing_for_seat_1)
    *_, found = reviewed(played, "cheap")
    assert isinstance(found, Review)
    assert {*found.unweighed} == {*seen} != set()
    assert {choice.seat for choice in found.choices} == {0}
    assert not {choice.version for choice in found.choices} & {*found.unweighed}


@pytest.mark.parametrize("purpose", ["refine", "check"])
@pytest.mark.parametrize("name", ["scout", "skyjo"])
def test_worlds_that_cannot_be_imagined_later_end_no_review(monkeypatch: pytest.MonkeyPatch, name: str, purpose: str):
    """SCOUT deals again until the cards fit, and gives up at some time. Nothing is claimed then but what was refined,
    no figure is shown that was not measured, and the parts add up."""
    tried, played, late = Valuation.tried, game(RULESETS[name]), list[bool]()

    def sometimes(self: Valuation, moment: Moment, moves: list[int], of: str, number: int, **how: Any) -> Any:
        if late and of == purpose and moment.number % 2:
            raise NothingImagined
        return tried(self, moment, moves, of, number, **how)

    monkeypatch.setattr(Valuation, "tried", sometimes)
    values, chosen = Valuation(played.rules, played.head), [*moments(played)][:: 6 if name == "scout" else 30]
    found = Weighing(values, chosen, CHEAP, range(played.seats), in_this_process(values, chosen))
    [*found.first()]
    late.append(True)
    [*found.refine(), *found.accounts()]
    shown = document(played, found, "cheap", final=True)
    assert all(choice.refined for choice in shown.choices if choice.category is not UNSET)
    assert all(choice.worlds for choice in shown.choices if choice.best is not UNSET)
    assert [row.result for row in shown.accounts] == [
        round(each / (played.seats - 1), 1) for each in whole(outcomes(played))
    ]
    for row in shown.accounts:
        assert round(10 * row.result) == sum(round(10 * part) for part in (row.luck, row.errors, row.finds, row.others))


def test_without_a_measured_spread_nothing_is_claimed():
    rules = RULESETS["scout"]
    assert thresholds(rules, 3) == (1.4, 3.5, 7.0)
    assert Yardstick().deviation(3) is None
    assert Yardstick(spread={3: 70, 5: 50}).deviation(4) == 70
    assert Yardstick(spread={3: 70, 5: 50}).deviation(6) == 50


def test_games_without_a_result_and_redacted_records_are_refused():
    whole_record = samples.shortest(RULESETS["scout"], 2)
    for part, reason in (({"result": None}, "finished"), ({"secret": None}, "redacted")):
        with pytest.raises(NotReviewable, match=reason):
            review(structs.replace(whole_record, **part))


def test_a_service_reviews_a_long_game_by_the_quick_plan(monkeypatch: pytest.MonkeyPatch):
    """Long by moves of people times seats: those of house players are hardly weighed."""
    found = samples.shortest(RULESETS["scout"], 2)
    people = 2 * sum([not made.by_bot for made in of_record(found).moves])
    for plan in ("standard", "quick"):
        monkeypatch.setitem(weighing.PLANS, plan, CHEAP._replace(moves=1, look=1, sift=1, check=1))
    for most, plan in ((people, "standard"), (people - 1, "quick")):
        monkeypatch.setattr(job, "MOST", most)
        first = next(step for step in job.streamed(found, "standard", None, None) if isinstance(step, Review))
        assert first.plan == plan


# --- no card that the seat has not seen -------------------------------------------------------------------------------


@every_ruleset
def test_a_choice_is_weighed_alike_whatever_its_seat_has_not_seen(rules: Rules):
    """In the game, and in one in which every card that the seat has not seen is drawn anew."""
    played, asked = game(rules), [each.moment for each in weighed(rules).reviewed][::5]
    values = Valuation(rules, played.head)
    assert asked
    for moment in asked:
        history = rules.imagine(moment.start, moment.seen, moment.seat, SameLots(moment.number))
        made = Made(len(history), moment.seat, moment.legal[moment.made], moment.version)
        other = next(moments(Played(rules, moment.start, history, [made], played.head)))
        other = other._replace(number=moment.number, round=moment.round)
        assert other == moment
        assert told(values, other) == told(values, moment)


def told(values: Valuation, moment: Moment) -> list[Any]:
    """All figures of the sift and the check."""
    found = first_of(CHEAP, values, [moment], 0)
    assert found is not None
    sifted, checked = found
    return [sifted.house, sifted.best, sifted.sample.by_move, checked and checked.by_move]


@every_ruleset
def test_a_hint_is_made_of_what_the_seat_has_seen(rules: Rules):
    """It gets the seat's events from the first one on. The first move is one that nothing speaks against."""
    table = Table(rules, rules.options(**rules.board), [bot_named(rules, "deep:1x1")] * 3, bytes(32))
    for _ in range(9):
        asked = table.question()
        table.move(asked.legal[0])
    asked = table.question()
    found = hint(rules, asked.initial, asked.seen, asked.seat, b"head", CHEAP)
    assert {*map(encode, found.moves)} <= {*map(encode, asked.legal)}
    assert found.moves
    assert found == hint(rules, asked.initial, asked.seen, asked.seat, b"head", CHEAP)


@pytest.mark.parametrize("winners", [(1, 1), (1, 2, 2)])
def test_a_hint_does_not_name_first_what_fresh_worlds_speak_against(
    monkeypatch: pytest.MonkeyPatch, winners: tuple[int, ...]
):
    """The best move of the sift may have had luck there. The figures are of worlds that no move was picked by.

    `winners`: the best of the sifted moves in each comparison.
    """
    sifted = list[int]()

    def tried(_: Valuation, __: Moment, moves: list[int], purpose: str, number: int, **___: Any) -> Any:
        """The first move is a little better in the sift."""
        if purpose == "sift":
            sifted.extend(moves if not sifted else ())
            return [((9 if number % 2 else -7) * (move == sifted[0]),) * 3 for move in moves]
        worlds.add(number)
        return [((move == sifted[winners[number // CHEAP.check]]),) * 3 for move in moves]

    monkeypatch.setattr(Valuation, "tried", tried)
    asked, worlds = many_moves(), set[int]()
    found = hint(asked.rules, asked.initial, asked.seen, asked.seat, b"head", CHEAP._replace(moves=4))
    assert found.moves[0] == asked.legal[sifted[winners[-1]]]
    assert asked.legal[sifted[0]] not in found.moves
    assert (found.ahead, found.worlds) == (0.5, CHEAP.check)
    assert worlds == {*range(len(winners) * CHEAP.check)}


@pytest.mark.parametrize("rest", [3, 5], ids=["two", "all"])
def test_a_hint_is_not_compared_with_a_move_that_comes_to_the_same(monkeypatch: pytest.MonkeyPatch, rest: int):
    """Two copies of a card have one name, so the sentence would say nothing."""
    sifted = list[int]()

    def tried(_: Valuation, __: Moment, moves: list[int], ___: str, number: int, **____: Any) -> Any:
        sifted.extend(moves if not sifted else ())
        return [((5 if move in sifted[:2] else rest) + number,) * 3 for move in moves]

    monkeypatch.setattr(Valuation, "tried", tried)
    asked = many_moves()
    found = hint(asked.rules, asked.initial, asked.seen, asked.seat, b"head", CHEAP._replace(moves=4))
    good = sifted if rest == 5 else sifted[:2]
    assert [*found.moves] == [asked.legal[move] for move in good]
    assert (found.against in found.moves, found.ahead) == (rest == 5, (5 - rest) / 2)


def many_moves() -> Question:
    table = Table(SCOUT, SCOUT.options(), [bot_named(SCOUT, "deep:1x1")] * 3, bytes(32))
    while len((asked := table.question()).legal) < 9:
        table.move(asked.legal[0])
    return asked


# --- words ------------------------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_words():
    english, german = map(wording.words, LANGUAGES)
    assert english.keys() == german.keys()
    assert [{*re.findall(r"{\w+}", text)} for text in english.values()] == [
        {*re.findall(r"{\w+}", text)} for text in german.values()
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@every_ruleset
def test_no_sentence_is_without_a_range_and_no_card_without_a_name(rules: Rules, language: str):
    opened = golden(rules, "3-seats")
    says = Wording(rules, opened.deck, language, ["Ann", "Ben", "Cem"])
    found = final(rules)
    number = r"-?\d+[.,]\d"
    for choice in found.choices:
        for done in (True, False):
            sentence = says.sentence(choice, final=done)
            assert bool(sentence) == (choice.best is not UNSET)
            claimed = choice.category is not UNSET and done
            pattern = rf"{number} \S+ \({number} (to|bis) {number}\)" if claimed else rf"\({number} ± {number}\)"
            assert not sentence or re.search(pattern, sentence)
            assert not re.search(r"\b[a-z]+\d+-\d\b|[{}]|UNSET|None", sentence)


@every_ruleset
def test_the_page_has_every_figure_and_nothing_from_elsewhere(rules: Rules):
    found, names = final(rules), ["<b>Ann</b>", "Ben & Co", "Cem"]
    text = page(found, Wording(rules, golden(rules, "3-seats").deck, "en", names), "en")
    assert "<b>Ann" not in text
    assert "&lt;b&gt;Ann" in text
    assert not re.search(r"<script|src=|href=|url\(|https?:", text)
    assert text.count("<tr><td>") == len(found.choices) + sum(len(row) for each in found.rounds for row in each.curves)
    for row in found.accounts:
        assert f"{row.result:+.1f}".replace("+0.0", "0.0").replace("-0.0", "0.0") in text


# --- other uses -------------------------------------------------------------------------------------------------------


def test_a_mean_needs_ten_games():
    games = [Mean(0, 20, loss, 4 * loss) for loss in (0.5, 1.5)] * (FEWEST // 2)
    assert player_mean(games[1:]) is None
    found = player_mean(games)
    assert found is not None
    assert (found.games, found.choices, found.loss, found.own) == (10, 200, 1.0, 4.0)
    assert 0.3 < found.loss_half < 0.5
    assert isinstance(found, Value)


def test_a_mean_is_read_from_the_check_and_leaves_hints_out():
    rules = RULESETS["scout"]
    found = weighed(rules)
    rows = {row.seat: row for row in final(rules).means}
    own = [each for each in found.reviewed if each.moment.seat == 0]
    assert rows[0].choices == len(own)
    assert rows[0].loss == round(sum(each.checked_loss()[0] for each in own) / len(own) / 2, 2)
    hinted = [each.moment._replace(hinted=True) for each in own]
    for each, moment in zip(own, hinted, strict=True):
        each.moment = moment
    try:
        assert 0 not in {row.seat for row in final(rules).means}
    finally:
        for each in own:
            each.moment = each.moment._replace(hinted=False)
