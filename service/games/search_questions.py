"""What a process is asked that thinks for seats. A question contains what its seat has seen, and nothing else of the
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


class ChoiceQuestion(Value):
    """What a bot that searches chooses. `lot` decides the search."""

    table: Table
    bot: str
    lot: int


questions = msgspec.json.Decoder(ChoiceQuestion)


def table_of(rules: Rules, now: Game, seat: Seat, seen: object) -> Table:
    terms = agreed(now)
    options, deck = Raw(encode(terms.options)), Raw(encode(terms.deck))
    return Table(rules.rules, terms.seats, options, deck, seat, Raw(encode(seen)))
