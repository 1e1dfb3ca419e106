"""A game of bots without the service, and the laws of every bot: functions that raise AssertionError."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from domain.codec import encode
from domain.fairness.chance import Dealer, Dice
from domain.game import Rules
from domain.messages import Dealing
from domain.ruleset import Choose, Seat
from stammtisch.testing.laws import exchanging

GAME = "bots"
MOST = 20_000
"""Moves after which a table gives up."""


class Question(NamedTuple):
    """What a bot is asked: the arguments of its function, with new dice each time."""

    view: Any
    seat: Seat
    legal: Sequence[Any]
    secret: bytes
    events: int

    @property
    def dice(self) -> Dice:
        return Dice(self.secret, GAME, (), self.seat, self.events)

    def answer(self, choose: Choose[Any, Any]) -> int:
        return choose(self.view, self.seat, self.legal, self.dice)


class BotTable:
    """A running game: the truth, every seat's view, and whose choice it is.

    As in a game of the service: the dealer deals what is due, then the lowest seat that is to act moves.
    """

    def __init__(self, rules: Rules, options: Any, seats: int, secret: bytes) -> None:
        self.rules, self.secret = rules, secret
        self.state = rules.initial(seats, options, next(iter(rules.decks.values())))
        self.views = [self.state] * seats
        self.events = self.dealt = 0
        self.deal()

    @property
    def acting(self) -> Seat | None:
        return next(iter(self.rules.to_act(self.state)), None)

    def question(self) -> Question | None:
        """What the seat that is to act is asked; None when the game is over."""
        seat = self.acting
        if seat is None:
            return None
        view = self.views[seat]
        return Question(view, seat, self.rules.legal(view, seat), self.secret, self.events)

    def move(self, chosen: Any) -> None:
        assert self.acting is not None
        self.happen(self.rules.decide(self.state, self.acting, chosen))
        self.deal()

    def deal(self) -> None:
        while self.acting is None and (
            events := self.rules.deal(self.state, Dealer(self.secret, GAME, (), "step", self.dealt))
        ):
            self.dealt += sum(isinstance(event, Dealing) for event in events)
            self.happen(events)

    def happen(self, events: list[Any]) -> None:
        self.events += len(events)
        self.state = self.rules.fold(self.state, events)
        for seat, view in enumerate(self.views):
            self.views[seat] = self.rules.view(view, events, seat)


def questions(
    rules: Rules, options: Any, bots: Sequence[Choose[Any, Any]], secret: bytes, moves: int = MOST
) -> Iterator[tuple[Question, int]]:
    """Play a game with a bot at each seat: every question and its answer."""
    table = BotTable(rules, options, len(bots), secret)
    while moves and (question := table.question()):
        chosen = question.answer(bots[question.seat])
        yield question, chosen
        table.move(question.legal[chosen])
        moves -= 1


# --- laws ---------------------------------------------------------------------------------------------------------


def legality(asked: Sequence[tuple[Question, int]]) -> None:
    """The answer is the index of a legal move."""
    for question, chosen in asked:
        assert type(chosen) is int
        assert 0 <= chosen < len(question.legal)


def purity(rules: Rules, choose: Choose[Any, Any], asked: Sequence[tuple[Question, int]]) -> None:
    """Asked again, in another order and about equal views from JSON, the bot answers the same.

    `asked` are questions of one game that this bot has answered.
    """
    decks = {deck.name: deck for deck in rules.decks.values()}
    decoder = msgspec.json.Decoder(rules.state, dec_hook=lambda _, name: decks[name])
    for question, chosen in reversed(asked):
        view = decoder.decode(encode(question.view))
        again = question._replace(view=view, legal=rules.legal(view, question.seat))
        assert again.answer(choose) == chosen, f"seat {question.seat} chooses differently when it is asked again"


Sight = Callable[[BotTable, Question], Question]
"""What a bot is handed at a table. It must be the question as it is; a planted fault hands it more."""


def as_it_is(_: BotTable, question: Question) -> Question:
    return question


def blindness(
    rules: Rules, options: Any, bots: Sequence[Choose[Any, Any]], secret: bytes, exchange: tuple[int, int, int],
    sight: Sight = as_it_is,
) -> int:  # fmt: skip
    """In two worlds that differ in two hidden cards a bot chooses the same as long as its view is the same.

    Returns the number of choices that were compared.
    """
    ours = BotTable(rules, options, len(bots), secret)
    theirs = BotTable(exchanging(rules, *exchange), options, len(bots), secret)
    compared = 0
    while (a := ours.question()) and (b := theirs.question()) and (a.seat, a.events) == (b.seat, b.events):
        chosen = sight(ours, a).answer(bots[a.seat])
        if encode(a.view) == encode(b.view):
            assert sight(theirs, b).answer(bots[b.seat]) == chosen, f"the bot at seat {a.seat} tells the worlds apart"
            compared += 1
        if a.legal[chosen] not in b.legal:
            break
        ours.move(a.legal[chosen])
        theirs.move(a.legal[chosen])
    return compared
