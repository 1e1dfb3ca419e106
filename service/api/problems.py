"""All problem documents (RFC 9457) of the API, and the exceptions that lead to them. Clients branch on `type`.

A problem contains only what its reader may see anyway. The problems of HTTP itself are in `service.server.problems`.
"""

import logging
import re
from collections.abc import Callable, Collection, Mapping
from math import ceil
from typing import Any, Generic, Literal, TypeVar

from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException, ValidationException
from msgspec import UNSET, UnsetType

from domain import game
from domain.game import questions
from domain.game.log import Hashed
from domain.registry import RULESETS
from domain.ruleset import InvalidSetup, Seat
from projections import lobby
from service.api.decode_errors import in_json_terms
from service.games import errors
from service.identity import tokens
from service.live import fair_queue, subscriptions
from service.log import errors as store_errors
from service.server.problems import CHALLENGE, problem_response
from service.server.problems import MEDIA_TYPE as MEDIA_TYPE
from service.server.problems import Banned as Banned
from service.server.problems import FieldError as FieldError
from service.server.problems import HeadTooLarge as HeadTooLarge
from service.server.problems import Malformed as Malformed
from service.server.problems import Problem as Problem
from service.server.problems import TooLarge as TooLarge
from service.server.problems import TooManyRequests as TooManyRequests
from service.server.problems import Unauthenticated as Unauthenticated
from service.server.problems import Unavailable as Unavailable
from service.server.problems import UnsupportedTransferCoding as UnsupportedTransferCoding
from service.server.problems import UrlTooLong as UrlTooLong
from service.server.raw_response import RawResponse
from service.server.streaming import KEEP_ALIVE
from service.tables.players import TooManyBlocks as BlocksExhausted
from service.tables.players import TooManyNames as RenamesExhausted

log = logging.getLogger(__name__)

M = TypeVar("M")
E = TypeVar("E")
G = TypeVar("G")


class NotSeated(Problem, tag="not-seated"):
    """The caller has no such seat in this game."""

    title: str = "You do not have this seat."
    status: Literal[403] = 403


class Forbidden(Problem, tag="forbidden"):
    """The caller may not see or do this. Other seats' views are available when the game is over."""

    title: str = "This is not allowed."
    status: Literal[403] = 403


class NotFound(Problem, tag="not-found"):
    """The ruleset, deck, game, version, player or path does not exist, or the game is private and the caller may not
    see it."""

    title: str = "Not found."
    status: Literal[404] = 404


class MethodNotAllowed(Problem, tag="method-not-allowed"):
    """The path does not support this method. `Allow` lists the supported ones."""

    title: str = "Method not allowed."
    status: Literal[405] = 405


class NotAcceptable(Problem, tag="not-acceptable"):
    """The resource is not available in any media type of `Accept`."""

    title: str = "No acceptable media type."
    status: Literal[406] = 406


class IllegalMove(Problem, Generic[M], kw_only=True, tag="illegal-move"):
    """The rules do not allow this move now. `legal_moves` lists the legal moves of the caller."""

    title: str = "The move is not legal now."
    status: Literal[409] = 409
    version: int
    """The number of events so far."""
    decision: int | None
    """The version since which the current choice exists; null without a choice."""
    legal_moves: list[M]
    """All legal moves of the caller."""


class OutOfTime(Problem, Generic[G], kw_only=True, tag="out-of-time"):
    """The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    title: str = "Your time ran out."
    status: Literal[409] = 409
    seat: Seat
    """The seat that the caller has lost."""
    can_return: bool
    """True: the caller can take the seat again."""
    game: G | UnsetType = UNSET


class CannotGiveTime(Problem, kw_only=True, tag="cannot-give-time"):
    """The game has no clock, or the seat cannot be given this time. `most` is what it can be given now, in seconds."""

    title: str = "This time cannot be given."
    status: Literal[409] = 409
    most: int
    """The time that the seat can be given now, in seconds; 0 without a clock."""


class NotUndoable(Problem, kw_only=True, tag="not-undoable"):
    """The move cannot be taken back. `undo` is the version of the caller's move that can be, or null.

    There is no reason: a reason can betray a hidden card.
    """

    title: str = "This move cannot be taken back."
    status: Literal[409] = 409
    undo: int | None
    """The last version of the caller's move that can be taken back, or null."""


class CannotVote(Problem, tag="cannot-vote"):
    """Another question is open, there is none, or the caller has agreed or asked often enough. `detail` says which."""

    title: str = "You cannot vote this way now."
    status: Literal[409] = 409


class NoRematch(Problem, tag="no-rematch"):
    """The game is not finished, or it is a hotseat or an imported game."""

    title: str = "This game cannot be repeated."
    status: Literal[409] = 409


class NotWaiting(Problem, tag="not-waiting"):
    """The game has already begun or is over."""

    title: str = "The game is no longer waiting for players."
    status: Literal[409] = 409


class WrongSeal(Problem, tag="wrong-seal"):
    """A seat of a sealed game comes with a seal and without entropy; a seat of any other game without a seal."""

    title: str = "You cannot sit down with this entropy or seal."
    status: Literal[409] = 409


class CannotReady(Problem, tag="cannot-ready"):
    """The game is not sealed, a seat is free, the caller is ready, or the entropy is not the one that they sealed."""

    title: str = "You cannot open this entropy now."
    status: Literal[409] = 409


class SeatsFixed(Problem, tag="seats-fixed"):
    """A player has opened their entropy, so nobody leaves before the game begins."""

    title: str = "The game is about to begin, so nobody can leave."
    status: Literal[409] = 409


class RulesMissing(Problem, kw_only=True, tag="rules-missing"):
    """The service does not have the rules of this game: their package, or this version of them, is not loaded. The
    game, its events and its record can be read. It goes on when the operator loads the package again."""

    title: str = "The rules of this game are not loaded."
    status: Literal[409] = 409
    rules: str
    """The ruleset and the version of its rules."""
    package: str | None
    """The distribution that has them; null if nobody knows."""


class NotRunning(Problem, tag="not-running"):
    """The game has not begun, or is over."""

    title: str = "The game is not running."
    status: Literal[409] = 409


class Reserved(Problem, tag="reserved"):
    """The seat is kept for another player, or all free seats are."""

    title: str = "The seat is kept for another player."
    status: Literal[409] = 409


class CannotReturn(Problem, tag="cannot-return"):
    """The caller has left the seat for good: it is too often to come back."""

    title: str = "You cannot come back to this seat."
    status: Literal[409] = 409


class SeatTaken(Problem, tag="seat-taken"):
    """The seat is taken or does not exist, or no seat is free."""

    title: str = "The seat is not free."
    status: Literal[409] = 409


class AlreadySeated(Problem, tag="already-seated"):
    """The caller already has a seat in this game."""

    title: str = "You already have a seat in this game."
    status: Literal[409] = 409


class NotOpener(Problem, tag="not-opener"):
    """Only the player who opened the game may do this."""

    title: str = "You did not open this game."
    status: Literal[403] = 403


class TooRestless(Problem, tag="too-restless"):
    """The caller, or all players together, left their seats in this game too often. They cannot take a seat again."""

    title: str = "Players have left their seats in this game too often."
    status: Literal[409] = 409


class StorageExhausted(Problem, kw_only=True, tag="storage-exhausted"):
    """The games that the caller opened have used up their storage quota. `used` and `allowed` are bytes."""

    title: str = "Your storage quota is used up."
    status: Literal[409] = 409
    used: int
    """The size of the caller's games, in bytes."""
    allowed: int
    """The size from which on no further game can be opened, in bytes."""


class BlockedByPlayer(Problem, tag="blocked-by-player"):
    """A player at this table has blocked the caller."""

    title: str = "A player at this table has blocked you."
    status: Literal[403] = 403


class TooManyBlocks(Problem, tag="too-many-blocks"):
    """The caller has blocked as many players as is allowed."""

    title: str = "You have blocked too many players."
    status: Literal[409] = 409


class TooManyNames(Problem, tag="too-many-names"):
    """The caller has reached the limit of changes of name and face."""

    title: str = "You have changed your name or face too often."
    status: Literal[409] = 409


class TooManyGames(Problem, tag="too-many-games"):
    """The caller has reached the limit of unfinished games, joined or opened."""

    title: str = "You have too many unfinished games."
    status: Literal[409] = 409


class NotFinished(Problem, tag="not-finished"):
    """The game is not over, so its hidden cards stay hidden."""

    title: str = "The game is not over."
    status: Literal[409] = 409


class Gone(Problem, tag="gone"):
    """The events after this `Last-Event-ID` are no longer stored. Open a new stream, then read the pages again."""

    title: str = "The cursor has expired."
    status: Literal[410] = 410


class StaleDecision(Problem, Generic[E, M], kw_only=True, tag="stale-decision"):
    """The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32."""

    title: str = "Your choice has changed since that version."
    status: Literal[412] = 412
    version: int
    """The number of events so far."""
    missed: list[Hashed[E, M]]
    """The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."""


class UnsupportedMediaType(Problem, tag="unsupported-media-type"):
    """The body is compressed (`Content-Encoding`), or its `Content-Type` is not `application/json`, or, for a record,
    `application/vnd.stammtisch.record+json`."""

    title: str = "The body must be application/json, not compressed."
    status: Literal[415] = 415


class UpgradeRequired(Problem, tag="upgrade-required"):
    """The path is a web socket. `Upgrade` names the protocol."""

    title: str = "This path needs an upgrade to a web socket."
    status: Literal[426] = 426


class IdempotencyKeyReused(Problem, tag="idempotency-key-reused"):
    """The caller has already used this `Idempotency-Key` for a different request to this resource."""

    title: str = "The idempotency key was used for a different request."
    status: Literal[422] = 422


class InvalidRecord(Problem, tag="invalid-record"):
    """The document is not a record of a known ruleset, a check of the record failed, or the record is not complete:
    its game is not over, or it is redacted. `detail` says where."""

    title: str = "The record is not valid."
    status: Literal[422] = 422


class Internal(Problem, tag="internal"):
    """An error in the service. It has been logged."""

    title: str = "Internal error."
    status: Literal[500] = 500


ANYWHERE: Any = Banned | MethodNotAllowed | UrlTooLong | HeadTooLarge | Internal | UnsupportedTransferCoding
"""The problems that any path can return. The OpenAPI document has their schemas, but lists them at no operation."""


class ProblemError(Exception):
    """Ends the request with a problem document."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        self.problem = problem
        self.headers = headers or {}


def out_of_time(seat: Seat, *, can_return: bool, seen: Any = UNSET) -> OutOfTime[Any]:
    """The problem of a caller who ran out of time at this seat. `seen` is the game as they see it now."""
    how = "Take the seat again to play on." if can_return else "You cannot come back to this seat."
    return OutOfTime(detail=how, seat=seat, can_return=can_return, game=seen)


def malformed_request(path: str, message: str) -> ProblemError:
    """The error for one malformed field or parameter at `path`."""
    return ProblemError(Malformed(detail=f"{path}: {message}", errors=(FieldError(path, message),)))


PROBLEM_OF: Mapping[type[Exception], Any] = {
    game.NotWaiting: NotWaiting,
    game.WrongSeal: WrongSeal,
    game.CannotReady: CannotReady,
    game.SeatsFixed: SeatsFixed,
    game.NotRunning: NotRunning,
    game.Reserved: Reserved,
    game.CannotRejoin: CannotReturn,
    game.NotSeated: NotSeated,
    game.SeatTaken: SeatTaken,
    game.AlreadySeated: AlreadySeated,
    game.NotOpener: NotOpener,
    game.TooRestless: TooRestless,
    game.NotFinished: NotFinished,
    questions.CannotVote: CannotVote,
    game.CannotGrant: CannotGiveTime,
    game.NotUndoable: NotUndoable,
    errors.Blocked: BlockedByPlayer,
    errors.NoRematch: NoRematch,
    errors.TooManyGames: TooManyGames,
    errors.KeyReused: IdempotencyKeyReused,
}
"""The problems of refusals. The message of an exception, if it has one, is the detail."""

_LATER = {"Retry-After": "1"}
_RULESET_PATH = re.compile(r"/+v1/+(games|rulesets|standings)/+(?P<ruleset>[^/]+)")


def problem_error(error: Exception) -> ProblemError:
    """The problem that the client gets for an exception. Logs exceptions that nothing expects."""
    match error:
        case ProblemError():
            return error
        case tokens.Unauthenticated():
            return ProblemError(Unauthenticated(detail=str(error)), CHALLENGE)
        case tokens.Banned():
            return ProblemError(Banned())
        case errors.NoSuchGame():
            return ProblemError(NotFound(detail="This game does not exist."))
        case errors.RulesMissing(rules=rules, package=package):
            return ProblemError(RulesMissing(rules=rules, package=package))
        case errors.NoSuchVersion():
            return ProblemError(NotFound(detail="The game has not reached this version."))
        case errors.MoveRejected(version=version, choice_version=decision, legal_moves=legal_moves):
            return ProblemError(IllegalMove(version=version, decision=decision, legal_moves=legal_moves))
        case game.OutOfTime(seat=seat, can_return=can_return):
            return ProblemError(out_of_time(seat, can_return=can_return))
        case game.CannotGrant(most=most):
            return ProblemError(CannotGiveTime(detail=str(error), most=most))
        case game.NotUndoable(undo=possible):
            return ProblemError(NotUndoable(undo=possible))
        case errors.StaleDecision(version=version, missed=missed):
            return ProblemError(StaleDecision(version=version, missed=list(missed)))
        case InvalidSetup():
            return malformed_request("$", str(error))
        case BlocksExhausted():
            return ProblemError(TooManyBlocks(detail=str(error)))
        case RenamesExhausted():
            return ProblemError(TooManyNames(detail=str(error)))
        case errors.StorageExhausted(used=used, allowed=allowed):
            detail = f"The games that you opened use {used:,} of {allowed:,} bytes."
            return ProblemError(StorageExhausted(detail=detail, used=used, allowed=allowed))
        case lobby.CursorExpired():
            return ProblemError(Gone())
        case game.NothingToContinue():
            return malformed_request("$.at", str(error))
        case store_errors.Unavailable():
            return ProblemError(Unavailable(), _LATER)
        case fair_queue.QueueFull():
            return ProblemError(TooManyRequests(detail="Too many requests like this one wait already."), _LATER)
        case subscriptions.TooManyStreams():
            # A closed stream is freed at once. A client that disappeared is noticed when the next keep-alive is sent.
            return ProblemError(TooManyRequests(detail=str(error)), {"Retry-After": str(ceil(KEEP_ALIVE))})
        case subscriptions.StreamsExhausted():
            return ProblemError(Unavailable(detail="This process has reached its limit of open streams."), _LATER)
        case NotFoundException():
            return ProblemError(NotFound())
        case MethodNotAllowedException():
            # Litestar keeps the methods in a set, whose order differs from process to process.
            allow = {name: methods(text.split(", ")) for name, text in (error.headers or {}).items()}
            return ProblemError(MethodNotAllowed(), allow)
        case ValidationException(extra=list() as found):
            fields = tuple(FieldError(_path(**each), in_json_terms(str(each["message"]))) for each in found)
            return ProblemError(Malformed(detail="; ".join(f"{e.path}: {e.message}" for e in fields), errors=fields))
        case HTTPException(status_code=413):
            return ProblemError(TooLarge())
        case HTTPException(status_code=status) if 400 <= status < 500:
            return malformed_request("request", str(error.detail))
        case _ if (kind := PROBLEM_OF.get(type(error))) is not None:
            return ProblemError(kind(detail=str(error)) if error.args else kind())
        case _:
            log.error("a request failed", exc_info=error)
            return ProblemError(Internal())


def _path(key: str = "request", source: str = "", **_: str) -> str:
    """The path of a parameter: `?as`, `If-Match`. `key` is the name of the handler's argument: `as_`, `if_match`."""
    match source:
        case "query":
            return f"?{key.rstrip('_')}"
        case "header":
            return key.replace("_", "-").title()
        case _:
            return key


def methods(names: Collection[str]) -> str:
    """The value of `Allow` for a path with handlers for these methods. HEAD is answered wherever GET is."""
    return ", ".join(sorted({*names, *(("HEAD",) if "GET" in names else ())}))


def problem_reply(error: Exception) -> RawResponse:
    found = problem_error(error)
    return problem_response(found.problem, found.headers)


def unknown_ruleset() -> ProblemError:
    return ProblemError(NotFound(detail=f"This ruleset does not exist. There are: {', '.join(RULESETS)}."))


def exception_handler(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """`problem_reply` for Litestar."""
    if isinstance(error, NotFoundException):  # raised by the router
        named = _RULESET_PATH.match(request.scope["path"])
        if named is not None and named["ruleset"] not in RULESETS:
            error = unknown_ruleset()
    reply = problem_reply(error)
    return Response(reply.body, status_code=reply.status, headers=reply.headers, media_type=MEDIA_TYPE)


def explaining(explain: Callable[[Any], ProblemError]) -> Callable[[Request[Any, Any, Any], Any], Response[Any]]:
    """The handler of an exception that an extension raises."""
    return lambda request, error: exception_handler(request, explain(error))
