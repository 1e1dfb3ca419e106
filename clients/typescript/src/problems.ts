// Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.

import { Problem } from "./errors.js";
import type * as schema from "./schema.js";

/** The caller already has a seat in this game. */
export class AlreadySeated extends Problem {
  declare readonly document: schema.AlreadySeatedProblem;
}

/** The operator of the service has banned the player of the token. */
export class Banned extends Problem {
  declare readonly document: schema.BannedProblem;
}

/** A player at this table has blocked the caller. */
export class BlockedByPlayer extends Problem {
  declare readonly document: schema.BlockedByPlayerProblem;
}

/** The game has no clock, or the seat cannot be given this time. `most` is what it can be given now, in seconds. */
export class CannotGiveTime extends Problem {
  declare readonly document: schema.CannotGiveTimeProblem;
}

/** The game is not sealed, a seat is free, the caller is ready, or the entropy is not the one that they sealed. */
export class CannotReady extends Problem {
  declare readonly document: schema.CannotReadyProblem;
}

/** The caller has left the seat for good: it is too often to come back. */
export class CannotReturn extends Problem {
  declare readonly document: schema.CannotReturnProblem;
}

/** Another question is open, there is none, or the caller has agreed or asked often enough. `detail` says which. */
export class CannotVote extends Problem {
  declare readonly document: schema.CannotVoteProblem;
}

/** The service sends nothing to this URL, or the address did not answer a ping. The problem never says what answered. */
export class EndpointRefused extends Problem {
  declare readonly document: schema.EndpointRefusedProblem;
}

/** The caller may not see or do this. Other seats' views are available when the game is over. */
export class Forbidden extends Problem {
  declare readonly document: schema.ForbiddenProblem;
}

/** The events after this `Last-Event-ID` are no longer stored. Open a new stream, then read the pages again. */
export class Gone extends Problem {
  declare readonly document: schema.GoneProblem;
}

/** The URL and headers together exceed 32 KiB, or there are more than 100 headers. */
export class HeadTooLarge extends Problem {
  declare readonly document: schema.HeadTooLargeProblem;
}

/** The caller has already used this `Idempotency-Key` for a different request to this resource. */
export class IdempotencyKeyReused extends Problem {
  declare readonly document: schema.IdempotencyKeyReusedProblem;
}

/** The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
export class IllegalMove extends Problem {
  declare readonly document: schema.IllegalMoveProblem;
}

/** An error in the service. It has been logged. */
export class Internal extends Problem {
  declare readonly document: schema.InternalProblem;
}

/** The document is not a record of a known ruleset, a check of the record failed, or the record is not complete: its game is not over, or it is redacted. `detail` says where. */
export class InvalidRecord extends Problem {
  declare readonly document: schema.InvalidRecordProblem;
}

/** The input is not JSON, or has fields of the wrong type, out of range, unknown or missing. */
export class Malformed extends Problem {
  declare readonly document: schema.MalformedProblem;
}

/** The path does not support this method. `Allow` lists the supported ones. */
export class MethodNotAllowed extends Problem {
  declare readonly document: schema.MethodNotAllowedProblem;
}

/** The game was opened without hints, or the caller has no choice now. */
export class NoHint extends Problem {
  declare readonly document: schema.NoHintProblem;
}

/** The game is not finished, or it is a hotseat or an imported game. */
export class NoRematch extends Problem {
  declare readonly document: schema.NoRematchProblem;
}

/** The resource is not available in any media type of `Accept`. */
export class NotAcceptable extends Problem {
  declare readonly document: schema.NotAcceptableProblem;
}

/** The game is not over, so its hidden cards stay hidden. */
export class NotFinished extends Problem {
  declare readonly document: schema.NotFinishedProblem;
}

/** The ruleset, deck, game, version, player or path does not exist, or the game is private and the caller may not see it. */
export class NotFound extends Problem {
  declare readonly document: schema.NotFoundProblem;
}

/** Only the player who opened the game may do this. */
export class NotOpener extends Problem {
  declare readonly document: schema.NotOpenerProblem;
}

/** The game has not begun, or is over. */
export class NotRunning extends Problem {
  declare readonly document: schema.NotRunningProblem;
}

/** The caller has no such seat in this game. */
export class NotSeated extends Problem {
  declare readonly document: schema.NotSeatedProblem;
}

/** The move cannot be taken back. `undo` is the version of the caller's move that can be, or null. There is no reason: a reason can betray a hidden card. */
export class NotUndoable extends Problem {
  declare readonly document: schema.NotUndoableProblem;
}

/** The game has already begun or is over. */
export class NotWaiting extends Problem {
  declare readonly document: schema.NotWaitingProblem;
}

/** The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted. If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now; absent in the channel and with `Prefer: return=minimal`. */
export class OutOfTime extends Problem {
  declare readonly document: schema.OutOfTimeProblem;
}

/** The seat is kept for another player, or all free seats are. */
export class Reserved extends Problem {
  declare readonly document: schema.ReservedProblem;
}

/** The service does not have the rules of this game: their package, or this version of them, is not loaded. The game, its events and its record can be read. It goes on when the operator loads the package again. */
export class RulesMissing extends Problem {
  declare readonly document: schema.RulesMissingProblem;
}

/** The seat is taken or does not exist, or no seat is free. */
export class SeatTaken extends Problem {
  declare readonly document: schema.SeatTakenProblem;
}

/** A player has opened their entropy, so nobody leaves before the game begins. */
export class SeatsFixed extends Problem {
  declare readonly document: schema.SeatsFixedProblem;
}

/** The caller's choice has changed since the version in `If-Match`. `missed` lists the first events since that version, at most 32. */
export class StaleDecision extends Problem {
  declare readonly document: schema.StaleDecisionProblem;
}

/** The games that the caller opened have used up their storage quota. `used` and `allowed` are bytes. */
export class StorageExhausted extends Problem {
  declare readonly document: schema.StorageExhaustedProblem;
}

/** The body exceeds the limit of the service. */
export class TooLarge extends Problem {
  declare readonly document: schema.TooLargeProblem;
}

/** The game is too long for a review by the service. `stammtisch review` makes one from its record. */
export class TooLong extends Problem {
  declare readonly document: schema.TooLongProblem;
}

/** The caller has blocked as many players as is allowed. */
export class TooManyBlocks extends Problem {
  declare readonly document: schema.TooManyBlocksProblem;
}

/** The caller has reached the limit of unfinished games, joined or opened. */
export class TooManyGames extends Problem {
  declare readonly document: schema.TooManyGamesProblem;
}

/** Somebody to invite has too many invitations that they have not answered. The problem does not say who. */
export class TooManyInvitations extends Problem {
  declare readonly document: schema.TooManyInvitationsProblem;
}

/** The caller has reached the limit of changes of name and face. */
export class TooManyNames extends Problem {
  declare readonly document: schema.TooManyNamesProblem;
}

/** The caller has reached a limit of pairings or of their tables. */
export class TooManyPairings extends Problem {
  declare readonly document: schema.TooManyPairingsProblem;
}

/** The caller exceeds a rate limit, or the limit of streams for a caller or an address. See `Retry-After`. */
export class TooManyRequests extends Problem {
  declare readonly document: schema.TooManyRequestsProblem;
}

/** The caller, or the integrating site, has reached the limit of webhooks. */
export class TooManyWebhooks extends Problem {
  declare readonly document: schema.TooManyWebhooksProblem;
}

/** The caller, or all players together, left their seats in this game too often. They cannot take a seat again. */
export class TooRestless extends Problem {
  declare readonly document: schema.TooRestlessProblem;
}

/** A token is required, or the token in the request is invalid. */
export class Unauthenticated extends Problem {
  declare readonly document: schema.UnauthenticatedProblem;
}

/** The store cannot be read or written now, or the process has reached its limit of connections or streams. Nothing was recorded, or a retry with the same `Idempotency-Key` returns its result. */
export class Unavailable extends Problem {
  declare readonly document: schema.UnavailableProblem;
}

/** The body is compressed (`Content-Encoding`), or its `Content-Type` is not `application/json`, or, for a record, `application/vnd.stammtisch.record+json`. */
export class UnsupportedMediaType extends Problem {
  declare readonly document: schema.UnsupportedMediaTypeProblem;
}

/** `Transfer-Encoding` has a coding besides `chunked`, such as `gzip`. */
export class UnsupportedTransferCoding extends Problem {
  declare readonly document: schema.UnsupportedTransferCodingProblem;
}

/** The URL is longer than 8 KiB. */
export class UrlTooLong extends Problem {
  declare readonly document: schema.UrlTooLongProblem;
}

/** A seat of a sealed game comes with a seal and without entropy; a seat of any other game without a seal. */
export class WrongSeal extends Problem {
  declare readonly document: schema.WrongSealProblem;
}

/** The exceptions by the `type` of the problem. */
export const PROBLEMS: Readonly<Record<string, typeof Problem>> = {
  "already-seated": AlreadySeated,
  "banned": Banned,
  "blocked-by-player": BlockedByPlayer,
  "cannot-give-time": CannotGiveTime,
  "cannot-ready": CannotReady,
  "cannot-return": CannotReturn,
  "cannot-vote": CannotVote,
  "endpoint-refused": EndpointRefused,
  "forbidden": Forbidden,
  "gone": Gone,
  "head-too-large": HeadTooLarge,
  "idempotency-key-reused": IdempotencyKeyReused,
  "illegal-move": IllegalMove,
  "internal": Internal,
  "invalid-record": InvalidRecord,
  "malformed": Malformed,
  "method-not-allowed": MethodNotAllowed,
  "no-hint": NoHint,
  "no-rematch": NoRematch,
  "not-acceptable": NotAcceptable,
  "not-finished": NotFinished,
  "not-found": NotFound,
  "not-opener": NotOpener,
  "not-running": NotRunning,
  "not-seated": NotSeated,
  "not-undoable": NotUndoable,
  "not-waiting": NotWaiting,
  "out-of-time": OutOfTime,
  "reserved": Reserved,
  "rules-missing": RulesMissing,
  "seat-taken": SeatTaken,
  "seats-fixed": SeatsFixed,
  "stale-decision": StaleDecision,
  "storage-exhausted": StorageExhausted,
  "too-large": TooLarge,
  "too-long": TooLong,
  "too-many-blocks": TooManyBlocks,
  "too-many-games": TooManyGames,
  "too-many-invitations": TooManyInvitations,
  "too-many-names": TooManyNames,
  "too-many-pairings": TooManyPairings,
  "too-many-requests": TooManyRequests,
  "too-many-webhooks": TooManyWebhooks,
  "too-restless": TooRestless,
  "unauthenticated": Unauthenticated,
  "unavailable": Unavailable,
  "unsupported-media-type": UnsupportedMediaType,
  "unsupported-transfer-coding": UnsupportedTransferCoding,
  "url-too-long": UrlTooLong,
  "wrong-seal": WrongSeal,
};
