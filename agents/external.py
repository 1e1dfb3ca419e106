"""Bots that answer over HTTP: one POST for each choice."""

import json
import time
from collections import Counter
from http.client import HTTPException
from typing import Annotated, NamedTuple, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec
from msgspec import Meta

from agents.table import UNITS, Answer, Bot, Question
from domain.codec import encode
from domain.tellers import teller

MOST = 10_000
"""The maximum number of bytes of an answer."""
BUSY = (429, 503)
"""The statuses after which the bot is asked again within its time."""
SHORTEST_PAUSE = 0.05
"""Seconds."""

Unit: TypeAlias = Annotated[str, Meta(max_length=40)]
Cost: TypeAlias = Annotated[float, Meta(ge=0, le=1e12)]
"""Sums over all choices stay finite."""


class Manners(NamedTuple):
    """How long bots may think, and what follows from answers that are no moves."""

    think: float = 1.0
    """The seconds for a choice, all attempts together."""
    retries: int = 0
    """How often the bot is asked again, with the reason, before `random/1` makes the choice for it."""
    strikes: int = 1
    """With this many choices made for it in a game, the bot forfeits the game."""
    text: str | None = None
    """The language in which the bot also gets the table as text; None: it gets none."""


USUAL = Manners()


class Forfeited(Exception):
    """The bot has failed: no answer in time, none that can be read, or an illegal one. The message says which."""


class Asked(msgspec.Struct, omit_defaults=True):
    """What the bot gets as JSON. It has no hidden card in it."""

    ruleset: str
    seat: int
    view: msgspec.Raw
    legal: msgspec.Raw
    seen: msgspec.Raw
    game: str = ""
    """Names the game, so that a bot can remember it. Nothing about the deal follows from it."""
    think: float = 0.0
    """The seconds that are left."""
    refused: str = ""
    """Why the answer before was refused."""
    text: str = ""
    """The table as text, with `index` + 1 as the number of each move."""


class Answered(msgspec.Struct):
    """What the bot answers. Unknown fields are ignored."""

    index: int
    """Of a legal move."""
    usage: Annotated[dict[Unit, Cost], Meta(max_length=UNITS)] = {}
    """What the choice has cost, in units of its own: a claim of the bot."""


def external(url: str, manners: Manners = USUAL) -> Bot:
    """A bot that is asked at this address."""

    def answer(question: Question) -> Answer:
        began, why, attempts, usage = time.monotonic(), "", 0, Counter[str]()
        while attempts <= manners.retries and (left := began + manners.think - time.monotonic()) > 0:
            try:
                found = post(url, asked(question, left, why, manners.text), left)
            except HTTPError as error:
                error.close()
                why = f"HTTP {error.code}"
                if error.code in BUSY:  # no attempt: the bot has not answered
                    time.sleep(min(pause(error), left))
                    continue
            except (URLError, OSError, HTTPException, ValueError, msgspec.MsgspecError, RecursionError) as error:
                why = f"{type(error).__name__}: {error}"
            else:
                usage.update(found.usage)
                if 0 <= found.index < len(question.legal):
                    return Answer(found.index, time.monotonic() - began, attempts + 1, usage)
                why = f"There is no legal move {found.index}."
            attempts += 1
        return Answer(None, time.monotonic() - began, attempts, usage, why or "no answer in time")

    def choose(question: Question) -> int:
        found = answer(question)
        if found.index is None:
            raise Forfeited(found.why)
        return found.index

    return Bot(choose, looks_back=True, answer=answer, strikes=manners.strikes)


def asked(question: Question, left: float, why: str, language: str | None) -> bytes:
    """The body of the request."""
    view, legal = encode(question.view), encode([*question.legal])
    text = "" if language is None else table_as_text(question, language)
    body = Asked(
        question.rules.rules, question.seat, msgspec.Raw(view), msgspec.Raw(legal),
        msgspec.Raw(encode([*question.seen])), question.game, round(left, 1), why, text,
    )  # fmt: skip
    return msgspec.json.encode(body)


def table_as_text(question: Question, language: str) -> str:
    """With the events since the seat's own last one."""
    view, legal, seen = (json.loads(encode(each)) for each in (question.view, [*question.legal], [*question.seen]))
    own = [number for number, event in enumerate(seen) if event.get("seat") == question.seat]
    told = teller(question.rules, language).tell(view, question.seat, legal, seen[own[-1] if own else 0 :])
    return told.text


def post(url: str, body: bytes, seconds: float) -> Answered:
    """The answer, which comes whole within the time.

    Raises what `urlopen` does, ValueError, `MsgspecError`, and RecursionError for an answer that is nested too deeply.
    """
    until = time.monotonic() + seconds
    request = Request(url, body, {"Content-Type": "application/json"}, method="POST")
    with urlopen(request, timeout=seconds) as response:
        read = b""
        while chunk := response.read1(MOST):
            read += chunk
            if len(read) > MOST or time.monotonic() > until:
                raise ValueError("The answer is too long, or took too long.")
    return msgspec.json.decode(read, type=Answered)


def pause(error: HTTPError) -> float:
    """The seconds of `Retry-After`, or 1."""
    try:
        return max(SHORTEST_PAUSE, float(error.headers.get("Retry-After", "1")))  # in this order for "nan"
    except ValueError:  # a date
        return 1.0
