"""Seats that bots play: from the beginning, or since a player has left."""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.fairness.chance import Dice
from domain.fairness.record import Record
from domain.fairness.verification import Check, verify
from domain.game import (
    LIFECYCLE,
    OPEN,
    Aborted,
    Begun,
    CannotRejoin,
    Decision,
    Declined,
    Ended,
    Game,
    Gone,
    Joined,
    NotRunning,
    NotSeated,
    NotWaiting,
    Rejoined,
    Reserved,
    Revealed,
    SeatTaken,
    SeatTerms,
)
from domain.game.commands import Choose, Command, Join, Leave
from domain.game.log import Stored
from domain.ruleset import Illegal, InvalidSetup, Seat
from domain.rulesets import RULESETS
from domain.searching import searchers_choice
from stammtisch.testing import doing
from stammtisch.testing.laws import exchanging
from stammtisch.testing.playing import ID, Rules
from stammtisch.testing.seats import Sitting, person, places
from tests.support.every import every_table
from tests.verifiers import samples, standalone

pytestmark = pytest.mark.slow

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
SKYJO = RULESETS["skyjo"]
SECRET = bytes(range(32))


def with_one_player(rules: Rules, seats: int = 3, bot: str = "careful/1", **terms: Any) -> Sitting:
    """The last seat is a player's, the bots come first."""
    sitting = Sitting(rules)
    sitting.open(places(*[bot] * (seats - 1), None), SECRET, **terms)
    return sitting


def with_people(rules: Rules, seats: int = 3, absent: str = "careful/1") -> Sitting:
    sitting = Sitting(rules)
    sitting.open(places(*[None] * seats), SECRET, absent=absent)
    return sitting


def choices_of_bots(sitting: Sitting) -> int:
    """Where all seats but the last are bots'."""
    last = len(sitting.views) - 1
    return sum(move is not UNSET and by != last for move, by in zip(sitting.moves, sitting.by, strict=True))


def bots_to_act(rules: Rules, game: Game) -> list[Seat]:
    return [seat for seat in aggregate.to_act(rules, game) if game.bot_at(seat)]


# --- bots from the beginning --------------------------------------------------------------------------------------


@every_ruleset
def test_a_game_begins_when_the_seats_without_bots_are_taken(rules: Rules):
    sitting = with_one_player(rules)
    opened, joined = sitting.decisions
    assert opened.game.status == "waiting"
    assert opened.game.free == (2,)
    assert joined.events[:2] == (Joined(2, person(2), "of 2"), Begun())
    assert joined.game.status == "running"
    assert joined.game.players == (None, None, person(2))


@every_table
def test_after_every_append_no_bot_is_to_act(rules: Rules, seats: int):
    """Law 6. The game ends, and everything that bots did stands in the appends of the players' moves."""
    sitting = with_one_player(rules, seats).play()
    assert sitting.game.status == "finished"
    for decision in sitting.decisions:
        assert bots_to_act(rules, decision.game) == []
        assert len(decision.by) == len(decision.events)
    assert {*sitting.by} == {None, *range(seats)}


@every_ruleset
def test_a_bots_move_is_the_one_that_its_function_chooses_from_its_view(rules: Rules):
    """Found by an own fold: one event at a time, each bot asked with the dice of its seat and the ruleset's events."""
    sitting = with_one_player(rules, rules.seats[-1]).play(seed=1)
    game, views, happened, asked = Game(ID), [Game(ID)] * len(sitting.views), 0, 0
    events, by = sitting.events, sitting.by
    position = 0
    while position < len(events):
        seat = by[position]
        caused = 1
        if seat is not None and game.bot_at(seat) and type(events[position]) not in LIFECYCLE:
            view, seen = views[seat].state, Dice(SECRET, ID, game.entropies, seat, happened)
            legal = rules.legal(view, seat)
            bot = game.bot_at(seat)
            assert bot is not None
            chosen = legal[rules.bots[bot](view, seat, legal, seen)]
            expected = rules.decide(game.state, seat, chosen)
            caused, asked = len(expected), asked + 1
            assert events[position : position + caused] == expected
            assert seat == bots_to_act(rules, game)[0], "the lowest seat comes first"
        for event in events[position : position + caused]:
            game = aggregate.evolve(rules, game, event)
            happened += type(event) not in LIFECYCLE
            for each, seen_by in enumerate(views):
                views[each] = aggregate.evolve(rules, seen_by, aggregate.redact(rules, event, each))
        position += caused
    assert asked == choices_of_bots(sitting)
    assert game == sitting.game


@every_ruleset
def test_the_same_secret_gives_the_same_choices(rules: Rules):
    once, again = (with_one_player(rules).play(seed=2) for _ in range(2))
    assert once.decisions == again.decisions


@every_ruleset
def test_bots_without_a_sight_are_noticed(rules: Rules):
    """A caller that forgets what the bots see gets no game in which they guess."""
    sitting = with_one_player(rules)
    with pytest.raises(AssertionError, match="what it sees"):
        for _ in range(200):
            seat = aggregate.to_act(rules, sitting.game)[0]
            chosen = aggregate.legal(rules, sitting.game, seat)[0]
            sitting.append(doing.move(rules, sitting.game, seat, chosen))


def test_bots_stop_at_the_maximum_length():
    """No append is longer than the limit and one move with its consequences."""
    sitting = with_one_player(SKYJO, longest=60).play()
    assert sitting.game.status == "aborted"
    assert sitting.events[-2:] == [Aborted("longest"), Revealed(SECRET.hex())]
    assert 60 <= sitting.game.version - 2 < 66


@every_ruleset
def test_a_branch_of_a_game_with_bots_is_a_hotseat_game(rules: Rules):
    sitting = with_one_player(rules).play()
    cut = sitting.decisions[len(sitting.decisions) // 2].game.version
    branched = aggregate.branch(
        rules, "b" + ID[1:], ID, sitting.events[:cut], sitting.by[:cut], sitting.moves[:cut], person(7)
    ).game
    assert branched.bots == ()
    assert branched.seats_of("p7") == (0, 1, 2)
    assert branched.state == aggregate.fold(rules, Game(ID), sitting.events[:cut]).state


@every_ruleset
def test_a_decision_can_be_made_one_choice_of_a_bot_at_a_time(rules: Rules):
    """The same one, and it ends before the first choice of a bot."""
    sitting, steps = with_one_player(rules, rules.seats[-1]).play(seed=6), 0
    again = Sitting(rules)
    again.append(sitting.decisions[0])
    for expected in sitting.decisions[1:]:
        event, by, move = expected.events[0], expected.by[0], expected.moves[0]
        assert by is not None
        if isinstance(event, Joined):
            decided = doing.join(rules, again.game, event.player, by, event.entropy, doing.later)
        else:
            decided = doing.move(rules, again.game, by, move, doing.later)
        bots = again.bots
        while (seat := aggregate.bot_to_act(SKYJO, decided)) is not None:
            assert decided.acting[0] == seat
            decided, steps = aggregate.answered(rules, decided, bots), steps + 1
        assert again.append(decided) == expected
    assert steps == choices_of_bots(sitting)


# --- law 7 --------------------------------------------------------------------------------------------------------


def two_worlds(rules: Rules, seed: int, sight: Any = None) -> Iterator[tuple[Sitting, Sitting]]:
    """Two games that differ in two hidden cards, after each move; all seats but the last are bots'."""
    dice = Random(seed)
    exchange = (dice.randrange(2), dice.randrange(200), dice.randrange(200))
    secret = dice.randbytes(32)
    ours, theirs = Sitting(rules, sight=sight), Sitting(exchanging(rules, *exchange), sight=sight)
    for sitting in (ours, theirs):
        sitting.open(places("careful/1", "careful/1", None), secret)
    yield ours, theirs
    for _ in range(60):
        acting = aggregate.to_act(rules, ours.game)
        if not acting or acting != aggregate.to_act(rules, theirs.game):
            return
        chosen = dice.choice(aggregate.legal(rules, ours.game, acting[0]))
        if chosen not in aggregate.legal(rules, theirs.game, acting[0]):
            return
        for sitting in (ours, theirs):
            sitting.move(acting[0], chosen)
        yield ours, theirs


ENOUGH = 250


def told_apart(rules: Rules, sight: Any = None) -> tuple[int, int]:
    """The number of choices of bots whose views were the same in both worlds, of ten games or until there are `ENOUGH`,
    and how many of them differ."""
    compared = different = 0
    for seed in range(10):
        if compared > ENOUGH:
            break
        *_, (ours, theirs) = two_worlds(rules, seed, sight)
        views = [[Game(ID)] * 3, [Game(ID)] * 3]
        for (a, by, move), (b, other, another) in zip(happened(ours), happened(theirs), strict=False):
            if move is not UNSET and ours.game.bot_at(by) and encode(views[0][by]) == encode(views[1][by]):
                compared += 1
                different += (by, move) != (other, another)
            if (by, move) != (other, another):
                break
            for world, event in zip(views, (a, b), strict=True):
                for seat, view in enumerate(world):
                    world[seat] = aggregate.evolve(rules, view, aggregate.redact(rules, event, seat))
    return compared, different


def happened(sitting: Sitting) -> Iterator[tuple[Any, Any, Any]]:
    return zip(sitting.events, sitting.by, sitting.moves, strict=True)


@every_ruleset
def test_a_blind_bot_chooses_the_same_in_both_worlds(rules: Rules):
    """Law 7."""
    compared, different = told_apart(rules)
    assert compared > 30
    assert different == 0


def a_peeking_bot(state: Any, _seat: Seat, moves: Any, _: Any) -> int:
    """It uses all that it is shown."""
    return sha256(encode(state)).digest()[0] % len(moves)


def the_truth(sitting: Sitting, _: Seat) -> Any:
    return sitting.game


def test_a_bot_that_is_handed_the_truth_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Shown its view only, the same bot is not."""
    monkeypatch.setitem(SKYJO.bots, "careful/1", a_peeking_bot)
    assert told_apart(SKYJO)[1] == 0
    assert told_apart(SKYJO, the_truth)[1] > 0


# --- places -------------------------------------------------------------------------------------------------------


def opening(places: Any, seats: int = 3, **terms: Any) -> Any:
    deck = next(iter(SKYJO.decks.values())).data
    return aggregate.terms(
        SKYJO, seats, SKYJO.options(), deck, person(0), SECRET, aggregate.Agreed(places=places, **terms)
    )


@pytest.mark.parametrize(
    ("chosen", "wrong"),
    [
        (places("careful/1", None), "There are 2 places for 3 seats."),
        (places("careful/1", None, None, None), "There are 4 places for 3 seats."),
        (places("careful/0", None, None), "There is no bot careful/0."),
        (places("careful", None, None), "There is no bot careful."),
        (places("random/1", "careful/1", "random/1"), "A game has at least one seat for a player."),
        ((SeatTerms(player="a"), SeatTerms(player="a"), OPEN), "A player has one place."),
        ((SeatTerms(bot="random/1", player="a"), OPEN, OPEN), "A place is for a bot or for a player, not for both."),
    ],
)
def test_places_that_do_not_fit_are_refused(chosen: Any, wrong: str):
    with pytest.raises(InvalidSetup) as refused:
        opening(chosen)
    assert str(refused.value) == wrong


def test_a_hotseat_game_has_no_bots_and_nobody_leaves_it():
    with pytest.raises(InvalidSetup, match="hotseat"):
        opening(places("careful/1", None, None), hotseat=True)
    with pytest.raises(InvalidSetup, match="hotseat"):
        opening(UNSET, hotseat=True, absent="careful/1")


@pytest.mark.parametrize("absent", ["careful/2", "", "stay"])
def test_absent_is_a_bot_or_abort(absent: str):
    with pytest.raises(InvalidSetup, match=f"There is no bot {absent}."):
        opening(UNSET, absent=absent)
    assert opening(UNSET, absent="abort").absent == "abort"
    assert opening(UNSET, absent="random/1").absent == "random/1"


def test_a_kept_seat_is_for_its_player_only():
    kept = (SeatTerms(player="p1"), OPEN, SeatTerms(bot="careful/1"))
    waiting = doing.open_game(SKYJO, ID, opening(kept), sit=False, entropy="").game
    with pytest.raises(Reserved):
        doing.join(SKYJO, waiting, person(2), 0, "")
    with pytest.raises(SeatTaken):
        doing.join(SKYJO, waiting, person(2), 2, "")
    stranger = doing.join(SKYJO, waiting, person(2), None, "").game
    assert stranger.seats_of("p2") == (1,)
    with pytest.raises(Reserved):
        doing.join(SKYJO, stranger, person(3), None, "")
    assert doing.join(SKYJO, stranger, person(1), None, "").game.status == "running"


def waiting_for(*players: str | None) -> Sitting:
    """A game with seats that are kept for these players (None: open), in which nobody sits yet."""
    sitting = Sitting(SKYJO)
    kept = tuple(OPEN if player is None else SeatTerms(player=player) for player in players)
    sitting.append(doing.open_game(SKYJO, ID, opening(kept), sit=False, entropy=""))
    return sitting


def test_a_declined_seat_is_open_to_everybody():
    sitting = waiting_for("p1", "p2", None)
    for player, seat in ((person(2), 0), (person(1), 1), (person(0), 2)):
        with pytest.raises(NotSeated):
            doing.decline(SKYJO, sitting.game, player, seat)
    declined = sitting.append(doing.decline(SKYJO, sitting.game, person(1), 0))
    assert (declined.events, declined.by) == ((Declined(0),), (0,))
    assert declined.game.kept == (None, "p2", None)
    with pytest.raises(NotSeated):
        doing.decline(SKYJO, sitting.game, person(1), 0)
    for number, seat in enumerate((None, 1, None)):
        player = person(2) if seat else person(7 + number)
        sitting.append(doing.join(SKYJO, sitting.game, player, seat, ""))
    assert sitting.game.players == ("p7", "p2", "p9")
    assert (sitting.game.status, sitting.game.kept) == ("running", ())
    assert failed(checked(record.of(ID, log_of(sitting.play())))) == {}


def test_a_seat_is_no_longer_kept_for_a_player_who_has_taken_another_or_left_it():
    sitting = waiting_for("p1", None, None)
    sitting.append(doing.join(SKYJO, sitting.game, person(1), 2, ""))
    assert sitting.game.kept == ()
    sitting.append(doing.leave(SKYJO, sitting.game, person(1), 2))
    assert sitting.game.status == "aborted"
    sitting = waiting_for("p1", None, "p2")
    for player in (1, 2):
        sitting.append(doing.join(SKYJO, sitting.game, person(player), None, ""))
    sitting.append(doing.leave(SKYJO, sitting.game, person(1), 0))
    sitting.append(doing.join(SKYJO, sitting.game, person(3), 0, ""))
    sitting.append(doing.join(SKYJO, sitting.game, person(4), None, ""))
    assert failed(checked(record.of(ID, log_of(sitting.play())))) == {}


def test_a_forged_decline_is_found_by_life():
    sitting = waiting_for("p1", "p2", None)
    sitting.append(doing.decline(SKYJO, sitting.game, person(1), 0))
    sitting.append(doing.join(SKYJO, sitting.game, person(5), 0, ""))
    log = log_of(sitting)
    for seat in (2, 7, -1):
        checks = {each.name: each for each in verify(rewritten(log, 1, event=Declined(seat), by=seat), running=True)}
        assert (checks["life"].ok, checks["life"].version) == (False, 2), seat
    taken = rewritten(log, 1, event=Declined(1), by=1)  # then the seat of the next one is still kept
    checks = {each.name: each for each in verify(taken, running=True)}
    assert (checks["life"].ok, checks["life"].version) == (False, 3)


def test_the_opener_takes_the_kept_seat_else_the_first_open_one():
    def seat_of_opener(chosen: tuple[SeatTerms, ...]) -> tuple[Seat, ...]:
        return doing.open_game(SKYJO, ID, opening(chosen), sit=True, entropy="").game.seats_of("p0")

    assert seat_of_opener((SeatTerms(bot="careful/1"), OPEN, OPEN)) == (1,)
    assert seat_of_opener((OPEN, SeatTerms(player="p0"), OPEN)) == (1,)
    with pytest.raises(SeatTaken):
        seat_of_opener((SeatTerms(bot="careful/1"), SeatTerms(player="p1"), SeatTerms(player="p2")))


def test_a_game_with_one_player_begins_when_it_is_opened():
    opened = doing.open_game(SKYJO, ID, opening(places("careful/1", None, "random/1")), sit=True, entropy="mine")
    assert opened.game.status == "running"
    assert opened.game.entropies == ("", "mine", "")


def test_the_last_player_who_leaves_a_waiting_game_aborts_it_though_bots_stay():
    waiting = doing.open_game(SKYJO, ID, opening(places("careful/1", None, None)), sit=True, entropy="")
    left = doing.leave(SKYJO, waiting.game, person(0), 1)
    assert left.game.status == "aborted"


# --- leaving a running game ---------------------------------------------------------------------------------------


@every_ruleset
def test_a_bot_goes_on_for_a_player_who_leaves(rules: Rules):
    sitting = with_people(rules)
    left = sitting.abandon(1)
    assert left.events[0] == Gone(1, moved=False, cause="left", bot="careful/1")
    assert left.by[0] == 1
    assert left.game.gone == (1,)
    assert left.game.bots == (None, "careful/1", None)
    assert left.game.players[1] == person(1)
    assert bots_to_act(rules, left.game) == []
    assert sitting.play().game.status == "finished"


@every_ruleset
def test_the_bot_answers_in_the_append_of_the_departure(rules: Rules):
    """Of a seat whose turn it is."""
    sitting = with_people(rules)
    seat = aggregate.to_act(rules, sitting.game)[0]
    left = sitting.abandon(seat)
    assert left.by[1] == seat
    assert type(left.events[1]) not in LIFECYCLE


@every_ruleset
def test_who_comes_back_chooses_again(rules: Rules):
    sitting = with_people(rules)
    seat = aggregate.to_act(rules, sitting.game)[0]
    sitting.abandon(seat)
    back = sitting.rejoin(seat)
    assert back.events[0] == Rejoined(seat)
    assert back.by == (seat,)
    assert back.game.gone == ()
    assert back.game.bot_at(seat) is None
    sitting.play(seed=5)
    assert sitting.game.status == "finished"


def departure(seat: Seat, **fields: Any) -> Gone:
    return Gone(seat, moved=False, cause="left", **fields)


STAYS, ABORTS = {"absent": "careful/1"}, {"absent": "abort"}
ABORTED = [Aborted("absent"), Revealed(SECRET.hex())]

LEAVING: list[tuple[Any, tuple[Any, ...], int | str, Command, Any]] = [
    # the terms say what becomes of a game that a player leaves
    ((None, None, None), (STAYS, []), 1, Leave(1, running=True), [departure(1, bot="careful/1")]),
    ((None, None, None), (STAYS, [0, 2]), 1, Leave(1, running=True), [departure(1, bot="careful/1"), *ABORTED]),
    ((None, None, None), (ABORTS, []), 0, Leave(0, running=True), [departure(0), *ABORTED]),
    (("careful/1", "careful/1", None), (STAYS, []), 2, Leave(2, running=True),
     [departure(2, bot="careful/1"), *ABORTED]),
    (("careful/1", "careful/1", None), ({}, []), 2, Leave(2, running=True), NotWaiting),
    # only a player who is there leaves, and only one who left comes back, at most twice
    ((None, None, None), (STAYS, []), 1, Leave(0, running=True), NotSeated),
    ((None, None, None), (STAYS, [0]), 0, Leave(0, running=True), NotSeated),
    ((None, None, None), (STAYS, []), 0, Join(0), NotWaiting),
    ((None, None, None), (STAYS, []), "stranger", Join(0), NotWaiting),
    ((None, None, None), (STAYS, [0]), 0, Join(0), [Rejoined(0)]),
    ((None, None, None), (STAYS, [1, 1, 1, 1]), 1, Leave(1, running=True), [departure(1, bot="careful/1")]),
    ((None, None, None), (STAYS, [1, 1, 1, 1, 1]), 1, Join(1), CannotRejoin),
    # nor from a game that is over
    ((None, None, None), (STAYS, [0, "over"]), 1, Leave(1, running=True), NotRunning),
    ((None, None, None), (STAYS, [0, "over"]), 0, Join(0), NotWaiting),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "before", "by", "command", "expected"), LEAVING)
def test_who_leaves_a_running_game_and_who_comes_back(
    seats: Any, before: Any, by: int | str, command: Command, expected: Any
):
    """`before`: the terms, then the seats whose players leave, or come back, one after the other."""
    terms, steps = before
    sitting = Sitting(SKYJO)
    sitting.open(places(*seats), SECRET, **terms)
    for step in steps:
        if step == "over":
            sitting.game = replace(sitting.game, status="finished")
        elif step in sitting.game.gone:
            sitting.rejoin(step)
        else:
            sitting.abandon(step)
    player = by if isinstance(by, str) else person(by)
    if isinstance(expected, type):
        with pytest.raises(expected):
            doing.act(SKYJO, sitting.game, player, command, sitting.bots)
    else:
        events = doing.act(SKYJO, sitting.game, player, command, sitting.bots).events
        assert [event for event in events if type(event) in LIFECYCLE] == expected


def test_who_is_gone_is_recorded_in_the_order_in_which_they_left_and_whether_they_had_moved():
    """Who has left cannot move: the bot has chosen already."""
    sitting = with_people(SKYJO, 4)
    sitting.move(2, aggregate.legal(SKYJO, sitting.game, 2)[0])
    assert [sitting.abandon(seat).events[0].moved for seat in (2, 0, 1)] == [True, False, False]
    with pytest.raises(Illegal):
        sitting.move(0, SKYJO.legal(sitting.game.state, 3)[0])
    sitting.rejoin(0)
    assert (sitting.game.gone, sitting.game.departures, sitting.game.present) == ((2, 1), (2, 0, 1), (0, 3))


@every_ruleset
def test_when_no_player_is_left_the_game_is_aborted(rules: Rules):
    """Bots do not outlive the people."""
    sitting = with_people(rules)
    for seat in (0, 1):
        sitting.abandon(seat)
    last = sitting.abandon(2)
    assert last.events == (
        Gone(2, moved=False, cause="left", bot="careful/1"), Aborted("absent"), Revealed(SECRET.hex())
    )  # fmt: skip
    assert last.by == (2, None, None)
    assert last.game.cause == "absent"


@every_ruleset
def test_everybody_sees_who_is_gone(rules: Rules):
    sitting = with_people(rules)
    sitting.abandon(1)
    for view in sitting.views:
        assert (view.gone, view.bots) == (sitting.game.gone, sitting.game.bots)


@every_ruleset
def test_random_departures_leave_a_game_that_ends(rules: Rules):
    """No bot is to act after any append, whichever seats leave and come back."""
    for seed in range(4):
        dice, sitting = Random(seed), with_people(rules)
        while sitting.game.status == "running":
            seat = dice.randrange(3)
            if dice.random() < 0.05 and sitting.game.present != (seat,) and seat in sitting.game.present:
                sitting.abandon(seat)
            elif dice.random() < 0.1 and seat in sitting.game.gone and sitting.game.departures.count(seat) < 3:
                sitting.rejoin(seat)
            elif acting := aggregate.to_act(rules, sitting.game):
                sitting.move(acting[0], dice.choice(aggregate.legal(rules, sitting.game, acting[0])))
            assert bots_to_act(rules, sitting.game) == []
        assert isinstance(sitting.events[-2], Ended)
        assert aggregate.fold(rules, Game(ID), sitting.events) == sitting.game


# --- bots that search ---------------------------------------------------------------------------------------------

SCOUT = RULESETS["scout"]


def with_a_search(*, overrule: int = 0) -> list[Decision]:
    """A round of SCOUT with `deep/1` at seat 1, made of the choices that the service would bring; the choice of that
    number is another legal move."""
    played = [samples.opened(SCOUT, 2, places=places(None, "deep/1"), options=SCOUT.options(two_player="seed"))]
    dice, asked = Random(2), 0
    while acting := aggregate.to_act(SCOUT, now := played[-1].game):
        seat = acting[-1]
        legal = aggregate.legal(SCOUT, now, seat)
        if seat == 0:
            played.append(doing.move(SCOUT, now, 0, dice.choice(legal)))
            continue
        events = [event for decided in played for event in decided.events]
        sight = aggregate.sight(SCOUT, now, 1, events)
        chosen = searchers_choice(SCOUT, SCOUT.searches["deep/1"], sight, aggregate.lot(now, 1))
        others = [move for move in legal if move != chosen]
        asked += bool(others)
        if others and asked == overrule:
            chosen = others[0]
        played.append(doing.act(SCOUT, now, None, Choose(1, now.version, chosen)))
    return played


@pytest.mark.by_default()  # `test_searches` verifies one
def test_a_search_is_verified_and_one_that_was_overruled_is_found():
    """The verifiers that know no rules accept that the game waits, too."""
    for overrule in (0, 3):
        kept = record.of(ID, samples.log_of(SCOUT, with_a_search(overrule=overrule)))
        checks = checked(kept)
        assert failed(checks).keys() == ({"bots"} if overrule else set())
        assert checks["bots"].ok is not bool(overrule)
        plain = json.loads(encode(record.complete(kept)))
        for found in (standalone.python().verify(plain), *standalone.javascript([plain])):
            assert not [check for check in found if check["ok"] is False]


def test_only_a_bot_that_searches_is_waited_for_and_only_on_its_version():
    decided = samples.opened(SCOUT, 3, places=places(None, "deep/1", "careful/1"))
    assert decided.acting == (0, 1), "the careful one has decided in the append"
    now = decided.game
    [legal, _] = aggregate.legal(SCOUT, now, 1)
    for seat, version in ((1, now.version - 1), (1, now.version + 1), (0, now.version), (2, now.version)):
        with pytest.raises(aggregate.StaleChoice):
            aggregate.decide(SCOUT, now, None, Choose(seat, version, legal))
    assert aggregate.decide(SCOUT, now, None, Choose(1, now.version, legal)).by == (1,)


def log_of(sitting: Sitting) -> list[Stored[Any, Any]]:
    return samples.log_of(sitting.rules, sitting.decisions)


def checked(kept: Record[Any, Any, Any, Any]) -> dict[str, Check]:
    """The checks of the record after it has been written and read."""
    text = encode(kept if kept.secret is None else record.complete(kept))
    return {check.name: check for check in verify(record.decode(text))}


def failed(checks: dict[str, Check]) -> dict[str, int | None]:
    return {name: check.version for name, check in checks.items() if check.ok is False}


def rewritten(log: list[Stored[Any, Any]], number: int, **changes: Any) -> Record[Any, Any, Any, Any]:
    """The record with another entry, its hashes not computed anew."""
    entries = list(record.of(ID, log).events)
    entries[number] = replace(entries[number], **changes)
    return replace(record.of(ID, log), events=tuple(entries))
