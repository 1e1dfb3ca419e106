"""The aggregate: seats, the beginning and the end of a game, who causes each event, and the secret."""

import dataclasses
from random import Random
from typing import Any, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness.chain import commitment
from domain.fairness.chance import Dealer, Undrawn
from domain.game import (
    Aborted,
    AlreadySeated,
    Begun,
    Decision,
    Ended,
    Entropy,
    Game,
    IllegalMove,
    Joined,
    Left,
    NotOpener,
    NotSeated,
    NotWaiting,
    Opened,
    Revealed,
    SeatTaken,
    TooRestless,
    evolution,
)
from domain.game.commands import Abort, Cancel, Command, Join, Leave
from domain.messages import Dealing
from domain.ruleset import Illegal, InvalidSetup, step_of
from domain.rulesets import RULESETS
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, Play, Rules, Table

ANN, BOB, CLEO = "a", "b", "c"
SECRET = bytes(range(32))

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


def opening(rules: Rules, seats: int | None = None, **terms: Any) -> Opened[Any, Any]:
    seats = rules.seats[0] if seats is None else seats
    return aggregate.terms(rules, seats, rules.options(), deck(rules), ANN, SECRET, aggregate.Agreed(**terms))


def deck(rules: Rules) -> Any:
    return next(iter(rules.decks.values())).data


def opened(rules: Rules, seats: int | None = None, *, sit: bool = True, **terms: Any) -> Decision:
    return doing.open_game(rules, ID, opening(rules, seats, **terms), sit=sit, entropy="by Ann")


def begun(rules: Rules) -> Decision:
    """A game with as few seats as possible, begun."""
    decision = opened(rules)
    for seat in range(1, rules.seats[0]):
        decision = doing.join(rules, decision.game, f"p{seat}", None, f"seat {seat}")
    return decision


# --- opening, sitting down, standing up, cancelling -------------------------------------------------------------------


@every_ruleset
@pytest.mark.parametrize("sit", [True, False])
def test_the_first_event_contains_the_terms_and_the_opener_takes_seat_0_on_request(rules: Rules, sit: bool):
    decision = opened(rules, 3, sit=sit, private=True)
    terms, *joined = decision.events
    assert joined == ([Joined(0, ANN, "by Ann")] if sit else [])
    assert decision.by == ((None, 0) if sit else (None,))
    assert decision.game.players == (ANN if sit else None, None, None)
    assert decision.game.status == "waiting"
    assert terms == opening(rules, 3, private=True)
    assert (terms.ruleset, terms.rules, terms.seats) == (rules.name, rules.rules, 3)
    assert (terms.options, terms.deck, terms.opener) == (rules.options(), deck(rules), ANN)
    assert (terms.private, terms.hotseat, opening(rules).private) == (True, False, False)
    assert (terms.commitment, terms.secret) == (commitment(SECRET).hex(), SECRET.hex())


@every_ruleset
def test_a_number_of_seats_that_the_ruleset_does_not_have_is_refused(rules: Rules):
    for seats in (rules.seats[0] - 1, rules.seats[-1] + 1, 0, -1):
        with pytest.raises(InvalidSetup) as refusal:
            opening(rules, seats)
        fewest, most = min(rules.seats), max(rules.seats)
        assert str(refusal.value) == f"A game has {fewest} to {most} seats, not {seats}."


REVEALED = (Revealed(SECRET.hex()), None)
WAITING, TWO, NOBODY = (ANN, None, None), (ANN, BOB, None), (None, None, None)

DECISIONS: list[tuple[Any, str | None, Command, Any]] = [
    # a seat is taken: the first free one or the requested one, once for each player
    (WAITING, BOB, Join(None, "by Bob"), [(Joined(1, BOB, "by Bob"), 1)]),
    (WAITING, BOB, Join(2, "by Bob"), [(Joined(2, BOB, "by Bob"), 2)]),
    ((ANN, None, BOB, None), CLEO, Join(None, ""), [(Joined(1, CLEO, ""), 1)]),
    *((WAITING, ANN, Join(seat, ""), AlreadySeated) for seat in (None, 0, 1)),
    *((WAITING, BOB, Join(seat, ""), SeatTaken) for seat in (0, 3, -1)),
    # a seat is left: the last player who leaves ends the game, and the opener is a player like the others
    (TWO, BOB, Leave(1), [(Left(1), 1)]),
    (TWO, ANN, Leave(0), [(Left(0), 0)]),
    (WAITING, ANN, Leave(0), [(Left(0), 0), (Aborted(), 0), REVEALED]),
    *((TWO, player, Leave(seat), NotSeated) for player, seat in [(BOB, 0), (CLEO, 0), (BOB, 2), (CLEO, 2), (BOB, -2)]),
    # only the opener cancels, whether they sit or not
    *((seats, ANN, Cancel(), [(Aborted("cancelled"), None), REVEALED]) for seats in (WAITING, NOBODY)),
    *((TWO, player, Cancel(), NotOpener) for player in (BOB, CLEO)),
    (WAITING, None, Abort("expired"), [(Aborted("expired"), None), REVEALED]),
    # a game that has begun, or is over, is neither joined nor left, does not expire and is not cancelled
    *((status, by, command, NotWaiting) for status in ("running", "over")
      for by, command in [(BOB, Join(None, "")), (ANN, Cancel()), (None, Abort("expired"))]),
    ("running", ANN, Leave(0), NotWaiting),
]  # fmt: skip


def position(rules: Rules, given: Any) -> Game:
    """A waiting game with these players, a running one, or one that all players have left."""
    if given == "running":
        return begun(rules).game
    if given == "over":
        return doing.leave(rules, opened(rules, 3).game, ANN, 0).game
    game = opened(rules, len(given), sit=given[0] is not None).game
    for seat, player in enumerate(given):
        if player not in (None, ANN):
            game = doing.join(rules, game, player, seat, f"by {player}").game
    return game


@every_ruleset
def test_what_a_command_leads_to_before_the_beginning(rules: Rules):
    """Events, each with the seat that caused it, or a refusal."""
    for row in DECISIONS:
        leads_to(rules, *row)


def leads_to(rules: Rules, given: Any, by: str | None, command: Command, expected: Any) -> None:
    game = position(rules, given)
    if isinstance(expected, type):
        with pytest.raises(expected):
            doing.act(rules, game, by, command)
        return
    decision = doing.act(rules, game, by, command)
    assert list(zip(decision.events, decision.by, strict=True)) == expected
    ended = expected[-1] == REVEALED
    causes = [event.cause for event, _ in expected if isinstance(event, Aborted)]
    assert (decision.game.status, decision.game.revealed) == (("aborted", True) if ended else ("waiting", False))
    assert [decision.game.cause] == (causes or [msgspec.UNSET])
    if isinstance(command, Leave) and not ended:
        seat = command.seat
        assert (decision.game.players[seat], decision.game.entropies[seat]) == (None, "")
        assert doing.join(rules, decision.game, by, seat, "").game.players == given


def test_entropy_is_printable_ascii():
    """Above all no newline, which separates the entropies in the key of the deals."""
    for entropy in ("", "blue moon", "~" * 64):
        assert msgspec.convert(entropy, Entropy) == entropy
    for entropy in ("~" * 65, "ü", "a\n", "\n", "a\nb", "\t", "\x7f"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(entropy, Entropy)


# --- beginning ------------------------------------------------------------------------------------------------------


@every_ruleset
def test_the_game_begins_with_the_last_seat_and_the_dealer_deals(rules: Rules):
    decision = begun(rules)
    joined, begins, *dealt = decision.events
    assert isinstance(joined, Joined)
    assert begins == Begun()
    assert isinstance(dealt[0], Dealing)
    assert decision.by == (rules.seats[0] - 1, None) + (None,) * len(dealt)
    assert (decision.game.status, decision.game.dealt) == ("running", sum(isinstance(each, Dealing) for each in dealt))
    assert aggregate.to_act(rules, decision.game)


@every_ruleset
def test_the_deal_follows_from_the_secret_the_game_and_all_entropies(rules: Rules):
    decision = begun(rules)
    entropies = ["by Ann", *(f"seat {seat}" for seat in range(1, rules.seats[0]))]
    start = rules.initial(rules.seats[0], rules.options(), rules.deck(deck(rules)))
    expected = rules.deal(start, Dealer(SECRET, ID, entropies, step_of(decision.events[2]), 0))
    assert list(decision.events[2 : 2 + len(expected)]) == expected


class Counted(Dealing):
    step: Any


class Other(Counted):
    """Another kind of step."""


def toy(**functions: Any) -> Rules:
    """A ruleset whose state is the number of events."""
    return dataclasses.replace(
        next(iter(RULESETS.values())), to_act=lambda _: (), evolve=lambda state, _: state + 1, **functions
    )


def test_all_dealing_that_is_due_is_done_and_each_step_has_chance_of_its_own():
    """The second step is of another kind: the third is the second one of its own."""

    def deal(state: int, chance: Any) -> list[Any]:
        return [(Other if state == 2 else Counted)(chance), Begun()] if state < 6 else []

    state, events, acting, dealt = toy(deal=deal).settle(0, lambda kind, count: (kind, count), {"counted": 5})
    assert [event.step for event in events[::2]] == [("counted", 5), ("other", 0), ("counted", 6)]
    assert (state, acting, dealt) == (6, (), {"counted": 7, "other": 1})


@pytest.mark.parametrize(
    "deal",
    [lambda *_: [Begun()], lambda _, chance: [Counted(0) if type(chance) is Undrawn else Other(0)]],
    ids=["no dealing", "another kind by chance"],
)
def test_a_dealer_step_starts_with_a_dealing_whose_kind_follows_from_the_state(deal: Any):
    with pytest.raises(AssertionError, match="step"):
        toy(deal=deal).settle(0, lambda *step: step, {})


@every_ruleset
def test_in_a_hotseat_game_the_opener_takes_all_seats_and_it_begins_at_once(rules: Rules):
    decision = opened(rules, 3, hotseat=True)
    assert decision.events[1:5] == (*(Joined(seat, ANN, "by Ann") for seat in range(3)), Begun())
    assert decision.by[:5] == (None, 0, 1, 2, None)
    assert decision.game.seats_of(ANN) == (0, 1, 2)
    assert decision.game.seats_of(BOB) == ()


@every_ruleset
def test_before_the_beginning_no_seat_has_a_move(rules: Rules):
    game = opened(rules, 3).game
    move = aggregate.legal(rules, begun(rules).game, aggregate.to_act(rules, begun(rules).game)[0])[0]
    assert aggregate.to_act(rules, game) == ()
    assert aggregate.legal(rules, game, 0) == []
    with pytest.raises(IllegalMove):
        doing.move(rules, game, 0, move)


# --- moves ----------------------------------------------------------------------------------------------------------


@every_ruleset
def test_a_move_and_its_consequences_are_by_its_seat_and_dealer_steps_are_by_none(rules: Rules):
    play = Play(rules, Table(seats=rules.seats[0], options=rules.options(), seed=1))
    for decision, (seat, _) in zip(play.decisions[-len(play.choices) :], play.choices, strict=True):
        own = sum(by is not None for by in decision.by)
        assert own > 0
        assert decision.by == (seat,) * own + (None,) * (len(decision.events) - own)
        assert not any(isinstance(event, Dealing | Ended | Revealed) for event in decision.events[:own])
        assert decision.events[own:] == () or isinstance(decision.events[own], Dealing | Ended)


@every_ruleset
def test_a_move_that_is_not_listed_is_illegal(rules: Rules):
    game = begun(rules).game
    seat = aggregate.to_act(rules, game)[0]
    move = aggregate.legal(rules, game, seat)[0]
    after = game
    for _ in range(200):
        if move not in aggregate.legal(rules, after, seat):
            break
        after = doing.move(rules, after, seat, move).game
    with pytest.raises(Illegal):
        doing.move(rules, after, seat, move)


@every_ruleset
def test_folding_event_by_event_equals_folding_at_once(rules: Rules):
    """For a finished game and for one that all players left."""
    given_up = (*opened(rules, 3).events, *doing.leave(rules, opened(rules, 3).game, ANN, 0).events)
    for events in (finished(rules).events, given_up):
        game = Game(ID)
        for version, event in enumerate(events, 1):
            game = aggregate.evolve(rules, game, event)
            assert game == aggregate.fold(rules, Game(ID), events[:version])
            assert game.version == version


@every_ruleset
def test_an_unknown_lifecycle_event_raises(rules: Rules, monkeypatch: pytest.MonkeyPatch):
    """A lifecycle event for which `evolve` has no case."""
    monkeypatch.setattr(evolution, "LIFECYCLE", aggregate.LIFECYCLE | {Counted})
    with pytest.raises(TypeError, match=r"^Counted is not known$"):
        aggregate.evolve(rules, Game(ID), Counted(1))


# --- the end, and the secret ----------------------------------------------------------------------------------------


def finished(rules: Rules) -> Play:
    return Play(rules, Table(seats=rules.seats[0], options=rules.options(), seed=2, moves=20_000))


@every_ruleset
def test_a_game_with_a_result_is_ended_and_revealed_by_no_seat(rules: Rules):
    last = finished(rules).decisions[-1]
    secret = last.game.terms.secret
    assert last.events[-2:] == (Ended(rules.result(last.game.state)), Revealed(secret))
    assert last.by[-2:] == (None, None)
    assert (last.game.status, last.game.revealed) == ("finished", True)
    assert commitment(bytes.fromhex(secret)).hex() == last.game.terms.commitment


@every_ruleset
def test_a_finished_game_admits_no_move_join_or_leave(rules: Rules):
    play = finished(rules)
    game, (seat, move) = play.games[-1], play.choices[-1]
    assert aggregate.to_act(rules, game) == ()
    assert [aggregate.legal(rules, game, seat) for seat in range(rules.seats[0])] == [[]] * rules.seats[0]
    with pytest.raises(IllegalMove):
        doing.move(rules, game, seat, move)
    with pytest.raises(NotWaiting):
        doing.join(rules, game, BOB, None, "")
    with pytest.raises(NotWaiting):
        doing.leave(rules, game, game.players[0], 0)


@every_ruleset
def test_nobody_sees_the_secret_before_the_last_event(rules: Rules):
    """Neither seats nor bystanders nor the opener; the commitment is public from the first event on."""
    play = finished(rules)
    secret = play.games[-1].terms.secret
    for seen in play.seen.values():
        assert seen[0].secret is None
        assert seen[0].commitment == play.events[0].commitment
        assert all(secret not in repr(event) for event in seen[:-1])
        assert seen[-1] == Revealed(secret)
    for views in play.views.values():
        assert all(secret not in repr(view) for view in views)


@every_ruleset
def test_lifecycle_events_are_public_except_for_the_secret(rules: Rules):
    own = [opening(rules), Joined(0, ANN, "x"), Left(0), Begun(), Aborted(), Revealed("0" * 64)]
    for viewer in (None, 0, 1):
        shown = [aggregate.redact(rules, event, viewer) for event in own]
        assert shown == [replace(own[0], secret=None), *own[1:]]


@every_ruleset
def test_the_rulesets_events_are_redacted_by_the_ruleset(rules: Rules):
    """For each seat and for bystanders."""
    dealt = [event for event in begun(rules).events if type(event) not in aggregate.LIFECYCLE]
    for viewer in (None, *range(rules.seats[0])):
        shown = [aggregate.redact(rules, event, viewer) for event in dealt]
        assert shown == [rules.redact(event, viewer) for event in dealt]


@every_ruleset
def test_a_view_does_not_have_the_secret(rules: Rules):
    view = aggregate.evolve(rules, Game(ID), aggregate.redact(rules, opening(rules), 0))
    with pytest.raises(AssertionError, match=r"^a view does not have the secret"):
        aggregate.secret_of(view)


# --- cancelling and expiring ------------------------------------------------------------------------------------------


def test_the_cause_left_is_not_written():
    """So the records of such games keep their hashes."""
    assert msgspec.json.encode(Aborted()) == b'{"type":"aborted"}'
    assert msgspec.json.decode(b'{"type":"aborted"}', type=Aborted).cause == "left"
    assert msgspec.json.encode(Aborted("expired")) == b'{"type":"aborted","cause":"expired"}'


# --- the limits of a waiting game -------------------------------------------------------------------------------------


def restless(rules: Rules, game: Game, player: str, times: int) -> Game:
    for _ in range(times):
        game = doing.leave(rules, doing.join(rules, game, player, 1, "").game, player, 1).game
    return game


@every_ruleset
def test_a_player_who_left_too_often_cannot_join_again(rules: Rules):
    game = restless(rules, opened(rules, 3).game, BOB, aggregate.STAND_UPS)
    with pytest.raises(TooRestless):
        doing.join(rules, game, BOB, 1, "")
    assert doing.join(rules, game, CLEO, 1, "").game.players == (ANN, CLEO, None)


@every_ruleset
def test_many_players_together_cannot_grow_a_waiting_game_without_limit(rules: Rules):
    game, players = opened(rules, 3).game, aggregate.ALL_STAND_UPS // aggregate.STAND_UPS
    for number in range(players):
        game = restless(rules, game, f"guest-{number}", aggregate.STAND_UPS)
    with pytest.raises(TooRestless):
        doing.join(rules, game, CLEO, 1, "")
    assert game.version == 2 + 2 * aggregate.ALL_STAND_UPS


# --- the maximum length -----------------------------------------------------------------------------------------------


def at_random(rules: Rules, game: Game, seed: int = 1) -> list[Decision]:
    """Random moves to the end of the game."""
    dice, made = Random(seed), list[Decision]()
    while game.status == "running":
        seat = dice.choice(aggregate.to_act(rules, game))
        made.append(doing.move(rules, game, seat, dice.choice(aggregate.legal(rules, game, seat))))
        game = made[-1].game
    return made


@every_ruleset
@pytest.mark.parametrize("hotseat", [True, False])
def test_a_game_that_reaches_its_maximum_length_is_aborted_in_the_same_append(rules: Rules, hotseat: bool):
    whole = at_random(rules, opened(rules, hotseat=True).game)[-1].game.version
    longest = min(40, whole - 8)
    free = opened(rules, hotseat=hotseat, longest=longest).game
    for seat in range(1, rules.seats[0] if not hotseat else 0):
        free = doing.join(rules, free, f"p{seat}", None, "").game
    *before, last = at_random(rules, free)
    assert all(decision.game.version < longest for decision in before)
    assert last.game.version >= longest
    assert last.events[-2:] == (Aborted("longest"), Revealed(SECRET.hex()))
    assert last.by[-2:] == (None, None)
    assert (last.game.status, last.game.cause, last.game.result) == ("aborted", "longest", None)
    assert aggregate.to_act(rules, last.game) == ()


@every_ruleset
def test_a_game_with_a_result_at_its_maximum_length_is_ended_and_not_aborted(rules: Rules):
    length = at_random(rules, opened(rules, hotseat=True).game)[-1].game.version - 2
    last = at_random(rules, opened(rules, hotseat=True, longest=length).game)[-1]
    assert (last.game.status, last.game.version) == ("finished", length + 2)


@every_ruleset
def test_a_game_without_a_maximum_length_omits_the_field(rules: Rules):
    assert b"longest" not in encode(opening(rules))
    assert b'"longest":40' in encode(opening(rules, longest=40))


@every_ruleset
def test_a_branch_has_its_own_maximum_length(rules: Rules):
    first = opened(rules, hotseat=True)
    decisions = [first, *at_random(rules, first.game)[:2]]
    events, by, moves = ([each for d in decisions for each in getattr(d, field)] for field in ("events", "by", "moves"))
    branch = aggregate.branch(rules, "branch", ID, events, by, moves, BOB, len(events) + 3)
    assert branch.game.terms is not None
    assert branch.game.terms.longest == len(events) + 3
    assert at_random(rules, branch.game)[-1].game.cause == "longest"
    with pytest.raises(aggregate.NothingToContinue):
        aggregate.branch(rules, "branch", ID, events, by, moves, BOB, len(events))


def test_each_agreed_term_is_a_field_of_opened_and_the_other_way_round() -> None:
    """Also its type and its default. The others are the game's own."""
    own = {
        "protocol", "ruleset", "rules", "description", "seats", "options", "deck", "opener", "commitment", "secret",
        "parent", "rematch_of",
    }  # fmt: skip
    opened, agreed = (get_type_hints(kind) for kind in (aggregate.Opened, aggregate.Agreed))
    assert agreed == {name: opened[name] for name in opened.keys() - own}
    terms = {"private": True, "undo": "free", "sealed": True}
    assert aggregate.agreement(opening(next(iter(RULESETS.values())), **terms)) == aggregate.Agreed(**terms)
