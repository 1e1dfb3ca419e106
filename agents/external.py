"""Bots that answer over HTTP: one POST for each choice."""

from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec

from agents.table import Bot, Question
from domain.codec import encode

TIMEOUT = 1.0
"""Seconds within which an answer must come."""
MOST = 10_000
"""The maximum number of bytes of an answer."""


class Forfeited(Exception):
    """The bot has failed: no answer in time, none that can be read, or an illegal one. The message says which."""


class Asked(msgspec.Struct):
    """What the bot gets as JSON. It has no hidden card in it."""

    ruleset: str
    seat: int
    view: msgspec.Raw
    legal: msgspec.Raw
    seen: msgspec.Raw


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """What it answers: the index of a legal move."""

    index: int


def external(url: str) -> Bot:
    """A bot that is asked at this address."""

    def choose(question: Question) -> int:
        asked = Asked(
            ruleset=question.rules.rules,
            seat=question.seat,
            view=msgspec.Raw(encode(question.view)),
            legal=msgspec.Raw(encode([*question.legal])),
            seen=msgspec.Raw(encode([*question.seen])),
        )
        request = Request(url, msgspec.json.encode(asked), {"Content-Type": "application/json"}, method="POST")
        try:
            with urlopen(request, timeout=TIMEOUT) as response:
                index = msgspec.json.decode(response.read(MOST), type=Answer).index
        except (URLError, OSError, ValueError, msgspec.MsgspecError) as error:
            raise Forfeited(f"{type(error).__name__}: {error}") from None
        if not 0 <= index < len(question.legal):
            raise Forfeited(f"There is no legal move {index}.")
        return index

    return Bot(choose, looks_back=True)
