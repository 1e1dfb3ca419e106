"""Branches: the past and the hidden cards are those of the parent, and the same moves lead to the same end."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain import game as aggregate
from domain.fairness.chain import commitment
from domain.fairness.chance import dealing_key
from domain.game import Begun, Decision, Game, Joined, NothingToContinue, Opened, Parent
from domain.messages import Dealing
from domain.rulesets import VERSIONS
from stammtisch.testing import doing
from stammtisch.testing.laws import ENOUGH
from stammtisch.testing.playing import ID, Play, Rules, Table
from tests.domain.test_laws import tables

ZOE = "z"
BRANCH, TWIG = "018f3c2e-7b1a-7c3d-9e4f-00000000b001", "018f3c2e-7b1a-7c3d-9e4f-00000000b002"

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def log(decisions: Sequence[Decision]) -> tuple[list[Any], list[int | None], list[Any]]:
    """Events, the seat that caused each, and the move where one begins."""
    return (
        [e for d in decisions for e in d.events],
        [by for d in decisions for by in d.by],
        [move for d in decisions for move in d.moves],
    )


def branched(rules: Rules, past: Sequence[Decision], game_id: str = BRANCH, parent: str = ID) -> Decision:
    return aggregate.branch(rules, game_id, parent, *log(past), ZOE)


def begun(play: Play) -> int:
    """The number of appends until all seats were taken."""
    return len(play.decisions) - len(play.choices)


def played(rules: Rules, seed: int, moves: int = ENOUGH, seats: int | None = None) -> Play:
    return Play(rules, Table(seats=seats or rules.seats[0], options=rules.options(), seed=seed, moves=moves))


@pytest.mark.slow
@every_ruleset
@settings(max_examples=max(1, settings.default.max_examples // 8))
@given(data=st.data())
def test_a_branch_is_the_parent_at_that_point_and_develops_as_it_did(
    rules: Rules, data: st.DataObject, everything: bool
):
    """At the end of every append, by default of every third one; at some of them the parent's later moves are repeated,
    including later deals."""
    play = Play(rules, data.draw(tables(rules, data.draw(st.sampled_from(rules.seats))))._replace(moves=150))
    first, stop = begun(play), len(play.decisions)
    to_the_end = set(data.draw(st.lists(st.integers(first, stop), max_size=5))) | {first}
    for end in range(first, stop + (play.games[-1].status == "running")):
        if not everything and end % 3 and end not in to_the_end:
            continue
        then, branch = play.games[end - 1], branched(rules, play.decisions[:end])
        game = branch.game
        assert (game.state, game.dealt, game.entropies) == (then.state, then.dealt, then.entropies)
        assert game == aggregate.fold(rules, Game(BRANCH), branch.events)
        assert len(branch.by) == len(branch.events) == game.version
        if end in to_the_end:
            for happened, choice in zip(play.decisions[end:], play.choices[end - first :], strict=True):
                again = doing.move(rules, game, *choice)
                assert (again.events, again.by) == (happened.events, happened.by)
                game = again.game
            assert (game.state, game.result) == (play.games[-1].state, play.games[-1].result)


@every_ruleset
def test_a_branch_repeats_the_moves_on_the_events_that_they_caused(rules: Rules):
    play = played(rules, seed=3, moves=60)
    half = len(play.choices) // 2
    branch = branched(rules, play.decisions[: begun(play) + half])
    chosen = [(by, move) for by, move in zip(branch.by, branch.moves, strict=True) if move is not UNSET]
    assert chosen == play.choices[:half]
    assert branch.acting == aggregate.to_act(rules, branch.game)
    game = branched(rules, play.decisions[: begun(play)]).game
    for choice in chosen:
        game = doing.move(rules, game, *choice).game
    assert game.state == branch.game.state


@every_ruleset
def test_a_branch_has_its_own_opener_and_names_its_parent(rules: Rules):
    play = played(rules, seed=1, moves=10, seats=max(rules.seats))
    past = play.decisions[: begun(play) + 5]
    branch, events = branched(rules, past), log(past)[0]
    opened, *joined = branch.events[: play.table.seats + 1]
    terms = play.events[0]
    assert isinstance(opened, Opened)
    assert (opened.ruleset, opened.rules, opened.options, opened.deck) == (
        terms.ruleset, terms.rules, terms.options, terms.deck,
    )  # fmt: skip
    assert (opened.commitment, opened.secret) == (terms.commitment, terms.secret)
    assert opened.commitment == commitment(bytes.fromhex(terms.secret)).hex()
    assert (opened.hotseat, opened.opener, opened.parent) == (True, ZOE, Parent(ID, len(events), ID))
    assert joined == [Joined(seat, ZOE, entropy) for seat, entropy in enumerate(past[-1].game.entropies)]
    assert branch.events[play.table.seats + 1] == Begun()
    assert list(branch.events[play.table.seats + 2 :]) == events[events.index(Begun()) + 1 :]
    assert branch.game.seats_of(ZOE) == tuple(range(play.table.seats))


@every_ruleset
def test_a_private_game_has_private_branches(rules: Rules):
    secret = bytes(32)
    deck = next(iter(rules.decks.values())).data
    for private in (False, True):
        terms = aggregate.terms(
            rules,
            rules.seats[0],
            rules.options(),
            deck,
            ZOE,
            secret,
            aggregate.Agreed(private=private, hotseat=True),
        )
        past = doing.open_game(rules, ID, terms, sit=True, entropy="")
        assert branched(rules, [past]).events[0].private == private


@every_ruleset
def test_a_branch_of_a_branch_is_dealt_what_the_first_game_was_dealt(rules: Rules):
    play = played(rules, seed=5)
    choices, first = play.choices, begun(play)
    dealing = [
        n for n, each in enumerate(play.decisions) if n >= first and any(isinstance(e, Dealing) for e in each.events)
    ]
    middle = min([first + len(choices) // 2, *dealing[-1:]])  # in front of a deal, if there is one
    branch = branched(rules, play.decisions[:first])
    decisions = [branch]
    for choice in choices[: middle - first]:
        decisions.append(doing.move(rules, decisions[-1].game, *choice))
    twig = branched(rules, decisions, TWIG, BRANCH)
    assert twig.events[0].parent == Parent(BRANCH, decisions[-1].game.version, ID)
    assert twig.game.state == play.games[middle - 1].state
    dealt = 0
    game = twig.game
    for happened, choice in zip(play.decisions[middle:], choices[middle - first :], strict=True):
        again = doing.move(rules, game, *choice)
        assert again.events == happened.events
        dealt += sum(isinstance(event, Dealing) for event in again.events)
        game = again.game
    assert game.status == "finished"
    assert (dealt > 0) == bool(dealing)


@every_ruleset
def test_other_moves_in_a_branch_meet_the_hidden_cards_of_the_parent(rules: Rules):
    """The n-th step of a kind has the numbers of the parent's, independent of earlier events."""
    play = played(rules, seed=2, moves=30)
    game = branched(rules, play.decisions[: begun(play) + 3]).game
    while aggregate.to_act(rules, game):
        seat = aggregate.to_act(rules, game)[0]
        game = doing.move(rules, game, seat, aggregate.legal(rules, game, seat)[-1]).game
        if game.dealt > 1 or game.version > 3000:
            break
    ours, theirs = (aggregate.chance(each, "dealt", 7) for each in (game, play.games[-1]))
    assert [ours.below(1000) for _ in range(50)] == [theirs.below(1000) for _ in range(50)]


@every_ruleset
def test_a_game_of_its_own_is_dealt_under_its_own_id(rules: Rules):
    play = played(rules, seed=2, moves=1)
    game = play.games[-1]
    assert play.events[0].parent is UNSET
    assert aggregate.dealing_id(game) == ID
    assert len(dealing_key(aggregate.secret_of(game), ID, game.entropies)) == 32


@every_ruleset
def test_a_waiting_or_finished_version_cannot_be_branched(rules: Rules):
    play = played(rules, seed=1)
    for end in range(1, begun(play)):
        with pytest.raises(NothingToContinue, match="the game had not begun"):
            branched(rules, play.decisions[:end])
    with pytest.raises(NothingToContinue, match="the game was over"):
        branched(rules, play.decisions)
