"""Everything that can be wrong with a request, as problem documents (RFC 9457). `type` is what programs look at.

A problem says nothing that its reader could not see otherwise. Those that HTTP itself raises come from `http.problems`.
"""

import logging
from collections.abc import Mapping
from math import ceil
from typing import Any, Generic, Literal, TypeVar

from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException, ValidationException

from domain import game
from domain.log import Entry
from domain.ruleset import InvalidSetup
from projections import lobby
from service.games import games
from service.http.problems import CHALLENGE, problem_response
from service.http.problems import MEDIA_TYPE as MEDIA_TYPE
from service.http.problems import FieldError as FieldError
from service.http.problems import HeadTooLarge as HeadTooLarge
from service.http.problems import Malformed as Malformed
from service.http.problems import Problem as Problem
from service.http.problems import TooLarge as TooLarge
from service.http.problems import TooManyRequests as TooManyRequests
from service.http.problems import Unauthenticated as Unauthenticated
from service.http.problems import Unavailable as Unavailable
from service.http.problems import UrlTooLong as UrlTooLong
from service.http.raw_response import RawResponse
from service.http.streaming import KEEP_ALIVE
from service.identity import guests, tokens
from service.live import subscriptions
from service.store import group_commit

log = logging.getLogger(__name__)

M = TypeVar("M")
E = TypeVar("E")


class NotSeated(Problem, tag="not-seated"):
    """The caller has no such seat in this game."""

    title: str = "You do not sit there."
    status: Literal[403] = 403


class Forbidden(Problem, tag="forbidden"):
    """The caller may not see this while the game runs."""

    title: str = "You may not see this."
    status: Literal[403] = 403


class NotFound(Problem, tag="not-found"):
    """No such ruleset, deck, game, version, player or path; also a private game for a stranger."""

    title: str = "There is nothing here."
    status: Literal[404] = 404


class MethodNotAllowed(Problem, tag="method-not-allowed"):
    """The path exists, but not for this method; `Allow` names those that do."""

    title: str = "This method is not allowed here."
    status: Literal[405] = 405


class NotAcceptable(Problem, tag="not-acceptable"):
    """Nothing that `Accept` asks for can be sent."""

    title: str = "Nothing acceptable can be sent."
    status: Literal[406] = 406


class IllegalMove(Problem, Generic[M], kw_only=True, tag="illegal-move"):
    """The rules do not allow the move now. `legal_moves` are all that they allow the caller."""

    title: str = "The move is not legal now."
    status: Literal[409] = 409
    version: int
    decision: int | None
    legal_moves: list[M]


class NotWaiting(Problem, tag="not-waiting"):
    """The game has begun or is over."""

    title: str = "The game no longer waits for players."
    status: Literal[409] = 409


class SeatTaken(Problem, tag="seat-taken"):
    """Somebody sits there, or the game has no such seat, or no seat is free."""

    title: str = "The seat is not free."
    status: Literal[409] = 409


class AlreadySeated(Problem, tag="already-seated"):
    """The caller sits at this game already."""

    title: str = "You sit at this game already."
    status: Literal[409] = 409


class NotOpener(Problem, tag="not-opener"):
    """Only the player who opened the game may do this."""

    title: str = "You did not open this game."
    status: Literal[403] = 403


class TooRestless(Problem, tag="too-restless"):
    """The caller, or all players together, stood up from this game too often: nobody sits down there again."""

    title: str = "Players have stood up from this game too often."
    status: Literal[409] = 409


class StorageExhausted(Problem, kw_only=True, tag="storage-exhausted"):
    """The games that the caller opened take as much of the database as they may. `used` and `allowed` are bytes."""

    title: str = "You have no storage left for another game."
    status: Literal[409] = 409
    used: int
    allowed: int


class TooManyNames(Problem, tag="too-many-names"):
    """The caller has changed their name as often as a player may."""

    title: str = "You have changed your name too often."
    status: Literal[409] = 409


class TooManyGames(Problem, tag="too-many-games"):
    """The caller has as many unfinished games, sat at or opened, as anybody may have."""

    title: str = "You have too many games that are not over."
    status: Literal[409] = 409


class NotFinished(Problem, tag="not-finished"):
    """The game is not over: what is hidden in it stays hidden."""

    title: str = "The game is not over."
    status: Literal[409] = 409


class Gone(Problem, tag="gone"):
    """What has followed on that `Last-Event-ID` is no longer kept: open a new stream, then read the pages again."""

    title: str = "What has changed since then is no longer kept."
    status: Literal[410] = 410


class StaleDecision(Problem, Generic[E], kw_only=True, tag="stale-decision"):
    """The caller's choice is another one than at the version in `If-Match`; `missed` is what happened since."""

    title: str = "You decided on a table that has changed."
    status: Literal[412] = 412
    version: int
    missed: list[Entry[E]]


class UnsupportedMediaType(Problem, tag="unsupported-media-type"):
    """The body's `Content-Type` is not `application/json`."""

    title: str = "The body must be application/json."
    status: Literal[415] = 415


class IdempotencyKeyReused(Problem, tag="idempotency-key-reused"):
    """The caller has used this `Idempotency-Key` here for another request."""

    title: str = "The key belongs to another request."
    status: Literal[422] = 422


class Internal(Problem, tag="internal"):
    """A fault of ours. It has been logged."""

    title: str = "Something went wrong here."
    status: Literal[500] = 500


ANYWHERE: Any = MethodNotAllowed | UrlTooLong | HeadTooLarge | Internal
"""What any path may answer. The OpenAPI document has their schemas, but does not repeat them at each operation."""


class Refusal(Exception):
    """Ends a request with a problem."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        self.problem = problem
        self.headers = headers or {}


def malformed(path: str, message: str) -> Refusal:
    return Refusal(Malformed(detail=f"{path}: {message}", errors=(FieldError(path, message),)))


_LATER = {"Retry-After": "1"}


def refusal(error: Exception) -> Refusal:
    """The refusal that an error amounts to."""
    match error:
        case Refusal():
            return error
        case tokens.Unauthenticated():
            return Refusal(Unauthenticated(detail=str(error)), CHALLENGE)
        case games.NoSuchGame():
            return Refusal(NotFound(detail="There is no such game."))
        case games.NoSuchVersion():
            return Refusal(NotFound(detail="The game has not come to that version."))
        case games.MoveRejected(version=version, decision=decision, legal_moves=legal_moves):
            return Refusal(IllegalMove(version=version, decision=decision, legal_moves=legal_moves))
        case games.Stale(version=version, missed=missed):
            return Refusal(StaleDecision(version=version, missed=list(missed)))
        case games.KeyReused():
            return Refusal(IdempotencyKeyReused())
        case InvalidSetup():
            return malformed("$", str(error))
        case game.NotWaiting():
            return Refusal(NotWaiting())
        case game.NotSeated():
            return Refusal(NotSeated())
        case game.SeatTaken():
            return Refusal(SeatTaken())
        case game.AlreadySeated():
            return Refusal(AlreadySeated())
        case game.NotOpener():
            return Refusal(NotOpener())
        case game.TooRestless():
            return Refusal(TooRestless())
        case guests.TooManyNames():
            return Refusal(TooManyNames(detail=str(error)))
        case games.StorageExhausted(used=used, allowed=allowed):
            detail = f"The games that you opened take {used:,} of {allowed:,} bytes."
            return Refusal(StorageExhausted(detail=detail, used=used, allowed=allowed))
        case games.TooManyGames():
            return Refusal(TooManyGames(detail=str(error)))
        case game.NotFinished():
            return Refusal(NotFinished())
        case lobby.CursorExpired():
            return Refusal(Gone())
        case game.NothingToContinue():
            return malformed("$.at", str(error))
        case group_commit.Unavailable():
            return Refusal(Unavailable(), _LATER)
        case subscriptions.TooManyStreams():
            # Whatever is closed makes room at once; that a client has died is noticed when the next comment is sent.
            return Refusal(TooManyRequests(detail=str(error)), {"Retry-After": str(ceil(KEEP_ALIVE))})
        case subscriptions.StreamsExhausted():
            return Refusal(Unavailable(detail="As many streams are open as this process has room for."), _LATER)
        case NotFoundException():
            return Refusal(NotFound())
        case MethodNotAllowedException():
            # Litestar keeps the methods in a set, whose order differs from process to process.
            methods = {name: ", ".join(sorted(text.split(", "))) for name, text in (error.headers or {}).items()}
            return Refusal(MethodNotAllowed(), methods)
        case ValidationException(extra=list() as found):
            faults = tuple(FieldError(_place(**fault), str(fault["message"])) for fault in found)
            return Refusal(Malformed(detail="; ".join(f"{f.path}: {f.message}" for f in faults), errors=faults))
        case HTTPException(status_code=413):
            return Refusal(TooLarge())
        case HTTPException(status_code=status) if 400 <= status < 500:
            return malformed("request", str(error.detail))
        case _:
            log.error("a request failed", exc_info=error)
            return Refusal(Internal())


def _place(key: str = "request", source: str = "", **_: str) -> str:
    """Of a parameter: `?as` or `If-Match` (the keys are the names that handlers give them: `as_`, `if_match`)."""
    match source:
        case "query":
            return f"?{key.rstrip('_')}"
        case "header":
            return key.replace("_", "-").title()
        case _:
            return key


def problem_reply(error: Exception) -> RawResponse:
    """The response to whatever was raised while a request was served."""
    refused = refusal(error)
    return problem_response(refused.problem, refused.headers)


def answer(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The same as a response of Litestar's."""
    reply = problem_reply(error)
    return Response(reply.body, status_code=reply.status, headers=reply.headers, media_type=MEDIA_TYPE)
