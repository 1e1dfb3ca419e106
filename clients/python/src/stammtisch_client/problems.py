# Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.
"""An exception for each problem that the service answers with."""

from msgspec import Struct

from . import models
from .errors import Problem as Problem


class AlreadySeated(Problem):
    """The caller already has a seat in this game."""

    document: models.AlreadySeatedProblem


class Banned(Problem):
    """The operator of the service has banned the player of the token."""

    document: models.BannedProblem


class BlockedByPlayer(Problem):
    """A player at this table has blocked the caller."""

    document: models.BlockedByPlayerProblem


class CannotGiveTime(Problem):
    """The game has no clock, or the seat cannot be given this time. `most` is what it can be given now, in seconds."""

    document: models.CannotGiveTimeProblem


class CannotReady(Problem):
    """The game is not sealed, a seat is free, the caller is ready, or the entropy is not the one that they sealed."""

    document: models.CannotReadyProblem


class CannotReturn(Problem):
    """The caller has left the seat for good: it is too often to come back."""

    document: models.CannotReturnProblem


class CannotVote(Problem):
    """Another question is open, there is none, or the caller has agreed or asked often enough. `detail` says which."""

    document: models.CannotVoteProblem


class EndpointRefused(Problem):
    """The service sends nothing to this URL, or the address did not answer a ping. The problem never says what answered."""

    document: models.EndpointRefusedProblem


class Forbidden(Problem):
    """The caller may not see or do this. Other seats' views are available when the game is over."""

    document: models.ForbiddenProblem


class Gone(Problem):
    """The events after this `Last-Event-ID` are no longer stored. Open a new stream, then read the pages again."""

    document: models.GoneProblem


class HeadTooLarge(Problem):
    """The URL and headers together exceed 32 KiB, or there are more than 100 headers."""

    document: models.HeadTooLargeProblem


class IdempotencyKeyReused(Problem):
    """The caller has already used this `Idempotency-Key` for a different request to this resource."""

    document: models.IdempotencyKeyReusedProblem


class IllegalMove(Problem):
    """The rules do not allow this move now. `legal_moves` lists the legal moves of the caller."""

    document: models.IllegalMoveProblem


class Internal(Problem):
    """An error in the service. It has been logged."""

    document: models.InternalProblem


class InvalidRecord(Problem):
    """The document is not a record of a known ruleset, a check of the record failed, or the record is not complete: its game is not over, or it is redacted. `detail` says where."""

    document: models.InvalidRecordProblem


class Malformed(Problem):
    """The input is not JSON, or has fields of the wrong type, out of range, unknown or missing."""

    document: models.MalformedProblem


class MethodNotAllowed(Problem):
    """The path does not support this method. `Allow` lists the supported ones."""

    document: models.MethodNotAllowedProblem


class NoHint(Problem):
    """The game was opened without hints, or the caller has no choice now."""

    document: models.NoHintProblem


class NoRematch(Problem):
    """The game is not finished, or it is a hotseat or an imported game."""

    document: models.NoRematchProblem


class NotAcceptable(Problem):
    """The resource is not available in any media type of `Accept`."""

    document: models.NotAcceptableProblem


class NotFinished(Problem):
    """The game is not over, so its hidden cards stay hidden."""

    document: models.NotFinishedProblem


class NotFound(Problem):
    """The ruleset, deck, game, version, player or path does not exist, or the game is private and the caller may not see it."""

    document: models.NotFoundProblem


class NotOpener(Problem):
    """Only the player who opened the game may do this."""

    document: models.NotOpenerProblem


class NotRunning(Problem):
    """The game has not begun, or is over."""

    document: models.NotRunningProblem


class NotSeated(Problem):
    """The caller has no such seat in this game."""

    document: models.NotSeatedProblem


class NotUndoable(Problem):
    """The move cannot be taken back. `undo` is the version of the caller's move that can be, or null. There is no reason: a reason can betray a hidden card."""

    document: models.NotUndoableProblem


class NotWaiting(Problem):
    """The game has already begun or is over."""

    document: models.NotWaitingProblem


class OutOfTime(Problem):
    """The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted. If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now; absent in the channel and with `Prefer: return=minimal`."""

    document: models.OutOfTimeProblem


class Reserved(Problem):
    """The seat is kept for another player, or all free seats are."""

    document: models.ReservedProblem


class RulesMissing(Problem):
    """The service does not have the rules of this game: their package, or this version of them, is not loaded. The game, its events and its record can be read. It goes on when the operator loads the package again."""

    document: models.RulesMissingProblem


class SeatTaken(Problem):
    """The seat is taken or does not exist, or no seat is free."""

    document: models.SeatTakenProblem


class SeatsFixed(Problem):
    """A player has opened their entropy, so nobody leaves before the game begins."""

    document: models.SeatsFixedProblem


class StaleDecision(Problem):
    """The caller's choice has changed since the version in `If-Match`. `missed` lists the first events since that version, at most 32."""

    document: models.StaleDecisionProblem


class StorageExhausted(Problem):
    """The games that the caller opened have used up their storage quota. `used` and `allowed` are bytes."""

    document: models.StorageExhaustedProblem


class TooLarge(Problem):
    """The body exceeds the limit of the service."""

    document: models.TooLargeProblem


class TooLong(Problem):
    """The game is too long for a review by the service. `stammtisch review` makes one from its record."""

    document: models.TooLongProblem


class TooManyBlocks(Problem):
    """The caller has blocked as many players as is allowed."""

    document: models.TooManyBlocksProblem


class TooManyGames(Problem):
    """The caller has reached the limit of unfinished games, joined or opened."""

    document: models.TooManyGamesProblem


class TooManyInvitations(Problem):
    """Somebody to invite has too many invitations that they have not answered. The problem does not say who."""

    document: models.TooManyInvitationsProblem


class TooManyNames(Problem):
    """The caller has reached the limit of changes of name and face."""

    document: models.TooManyNamesProblem


class TooManyPairings(Problem):
    """The caller has reached a limit of pairings or of their tables."""

    document: models.TooManyPairingsProblem


class TooManyRequests(Problem):
    """The caller exceeds a rate limit, or the limit of streams for a caller or an address. See `Retry-After`."""

    document: models.TooManyRequestsProblem


class TooManyWebhooks(Problem):
    """The caller, or the integrating site, has reached the limit of webhooks."""

    document: models.TooManyWebhooksProblem


class TooRestless(Problem):
    """The caller, or all players together, left their seats in this game too often. They cannot take a seat again."""

    document: models.TooRestlessProblem


class Unauthenticated(Problem):
    """A token is required, or the token in the request is invalid."""

    document: models.UnauthenticatedProblem


class Unavailable(Problem):
    """The store cannot be read or written now, or the process has reached its limit of connections or streams. Nothing was recorded, or a retry with the same `Idempotency-Key` returns its result."""

    document: models.UnavailableProblem


class UnsupportedMediaType(Problem):
    """The body is compressed (`Content-Encoding`), or its `Content-Type` is not `application/json`, or, for a record, `application/vnd.stammtisch.record+json`."""

    document: models.UnsupportedMediaTypeProblem


class UnsupportedTransferCoding(Problem):
    """`Transfer-Encoding` has a coding besides `chunked`, such as `gzip`."""

    document: models.UnsupportedTransferCodingProblem


class UrlTooLong(Problem):
    """The URL is longer than 8 KiB."""

    document: models.UrlTooLongProblem


class WrongSeal(Problem):
    """A seat of a sealed game comes with a seal and without entropy; a seat of any other game without a seal."""

    document: models.WrongSealProblem


PROBLEMS: dict[str, tuple[type[Problem], type[Struct]]] = {
    "already-seated": (AlreadySeated, models.AlreadySeatedProblem),
    "banned": (Banned, models.BannedProblem),
    "blocked-by-player": (BlockedByPlayer, models.BlockedByPlayerProblem),
    "cannot-give-time": (CannotGiveTime, models.CannotGiveTimeProblem),
    "cannot-ready": (CannotReady, models.CannotReadyProblem),
    "cannot-return": (CannotReturn, models.CannotReturnProblem),
    "cannot-vote": (CannotVote, models.CannotVoteProblem),
    "endpoint-refused": (EndpointRefused, models.EndpointRefusedProblem),
    "forbidden": (Forbidden, models.ForbiddenProblem),
    "gone": (Gone, models.GoneProblem),
    "head-too-large": (HeadTooLarge, models.HeadTooLargeProblem),
    "idempotency-key-reused": (IdempotencyKeyReused, models.IdempotencyKeyReusedProblem),
    "illegal-move": (IllegalMove, models.IllegalMoveProblem),
    "internal": (Internal, models.InternalProblem),
    "invalid-record": (InvalidRecord, models.InvalidRecordProblem),
    "malformed": (Malformed, models.MalformedProblem),
    "method-not-allowed": (MethodNotAllowed, models.MethodNotAllowedProblem),
    "no-hint": (NoHint, models.NoHintProblem),
    "no-rematch": (NoRematch, models.NoRematchProblem),
    "not-acceptable": (NotAcceptable, models.NotAcceptableProblem),
    "not-finished": (NotFinished, models.NotFinishedProblem),
    "not-found": (NotFound, models.NotFoundProblem),
    "not-opener": (NotOpener, models.NotOpenerProblem),
    "not-running": (NotRunning, models.NotRunningProblem),
    "not-seated": (NotSeated, models.NotSeatedProblem),
    "not-undoable": (NotUndoable, models.NotUndoableProblem),
    "not-waiting": (NotWaiting, models.NotWaitingProblem),
    "out-of-time": (OutOfTime, models.OutOfTimeProblem),
    "reserved": (Reserved, models.ReservedProblem),
    "rules-missing": (RulesMissing, models.RulesMissingProblem),
    "seat-taken": (SeatTaken, models.SeatTakenProblem),
    "seats-fixed": (SeatsFixed, models.SeatsFixedProblem),
    "stale-decision": (StaleDecision, models.StaleDecisionProblem),
    "storage-exhausted": (StorageExhausted, models.StorageExhaustedProblem),
    "too-large": (TooLarge, models.TooLargeProblem),
    "too-long": (TooLong, models.TooLongProblem),
    "too-many-blocks": (TooManyBlocks, models.TooManyBlocksProblem),
    "too-many-games": (TooManyGames, models.TooManyGamesProblem),
    "too-many-invitations": (TooManyInvitations, models.TooManyInvitationsProblem),
    "too-many-names": (TooManyNames, models.TooManyNamesProblem),
    "too-many-pairings": (TooManyPairings, models.TooManyPairingsProblem),
    "too-many-requests": (TooManyRequests, models.TooManyRequestsProblem),
    "too-many-webhooks": (TooManyWebhooks, models.TooManyWebhooksProblem),
    "too-restless": (TooRestless, models.TooRestlessProblem),
    "unauthenticated": (Unauthenticated, models.UnauthenticatedProblem),
    "unavailable": (Unavailable, models.UnavailableProblem),
    "unsupported-media-type": (UnsupportedMediaType, models.UnsupportedMediaTypeProblem),
    "unsupported-transfer-coding": (UnsupportedTransferCoding, models.UnsupportedTransferCodingProblem),
    "url-too-long": (UrlTooLong, models.UrlTooLongProblem),
    "wrong-seal": (WrongSeal, models.WrongSealProblem),
}
"""The exceptions and their documents by the `type` of the problem."""
