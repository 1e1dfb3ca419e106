"""The process that makes the choices of bots that search: `python -m service.games.search_process`.

Each line of standard input is a question, each line of standard output the index of the move. A question contains what
the seat of the bot has seen and one lot of its dice, and nothing else of the game. The process ends with its input.
"""

import os
import signal
import sys

import msgspec
from msgspec import Raw

from domain.codec import encode
from domain.messages import Value
from domain.ruleset import Seat
from domain.rulesets import VERSIONS
from domain.searching import Lots, Sight, searched
from service.process import packages

NICE = 10
"""By how much every other process goes before this one."""


class Question(Value):
    """What a bot is asked. `seen`: the redacted events of the ruleset that stand. `lot` decides the search."""

    rules: str
    bot: str
    seats: int
    options: Raw
    deck: Raw
    seat: Seat
    seen: Raw
    lot: int


_questions = msgspec.json.Decoder(Question)


def answer(line: bytes) -> int:
    """The index of the move that the bot chooses."""
    asked = _questions.decode(line)
    rules = VERSIONS[asked.rules]
    deck = rules.deck_of(msgspec.json.decode(asked.deck, type=rules.deck.data_type))
    initial = rules.initial(asked.seats, msgspec.json.decode(asked.options, type=rules.options), deck)
    seen = msgspec.json.decode(asked.seen, type=list[rules.event])  # type: ignore[name-defined]
    view = rules.fold(initial, seen)
    sight = Sight(initial, seen, view, asked.seat, rules.legal(view, asked.seat))
    return searched(rules, rules.searches[asked.bot], sight, Lots(asked.lot))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the serving process, which then closes the input
    os.nice(NICE)
    packages.load()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
