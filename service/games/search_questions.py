"""What the process is asked that thinks for seats. A question contains what its seat has seen, and nothing else of the
game."""

import msgspec
from msgspec import Raw

from domain.codec import encode
from domain.game import Game, Rules, agreed
from domain.messages import Value
from domain.ruleset import Seat


class Table(Value):
    """What a seat knows. `seen`: the redacted events of the ruleset that stand."""

    rules: str
    seats: int
    options: Raw
    deck: Raw
    seat: Seat
    seen: Raw


class ChoiceQuestion(Value, tag="choice"):
    """What a bot that searches chooses. `lot` decides the search."""

    table: Table
    bot: str
    lot: int


class HintQuestion(Value, tag="hint"):
    """What a player could do. All random numbers follow from `head`, the head of the game at this version."""

    table: Table
    version: int
    head: str


questions = msgspec.json.Decoder(ChoiceQuestion | HintQuestion)


def table_of(rules: Rules, now: Game, seat: Seat, seen: object) -> Table:
    terms = agreed(now)
    options, deck = Raw(encode(terms.options)), Raw(encode(terms.deck))
    return Table(rules.rules, terms.seats, options, deck, seat, Raw(encode(seen)))
