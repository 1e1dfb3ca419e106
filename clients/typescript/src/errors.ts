/** What can go wrong. */

/** Base of all exceptions of this package. */
export class StammtischError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * The service did not answer within `patience`. What was asked may have happened or not; with the same idempotency key
 * it can be asked again.
 */
export class NoAnswer extends StammtischError {}

/** No service can be at the URL of the client. */
export class InvalidUrl extends StammtischError {}

/** No host has the name in the URL. A client to which the service has never answered throws it at once. */
export class UnknownHost extends NoAnswer {}

/** The connection broke before the answer came. */
export class Interrupted extends NoAnswer {}

/**
 * The caller's entropy stays closed: not all players have a seal, the log of the game is wrong or another one than
 * before, or this client does not know the entropy that was sealed (see `seed` of the client).
 */
export class Unsealed extends StammtischError {}

/** The request is not a webhook of the service, or it is too old. */
export class InvalidSignature extends StammtischError {}

/** A patch does not fit the view: something was missed, or the service is another one. Read the game again. */
export class InvalidPatch extends StammtischError {}

/** The channel cannot be used here. What was followed can be read as an event stream. */
export class ChannelUnavailable extends StammtischError {}

/** The fields that every problem document has (RFC 9457). */
export interface ProblemDocument {
  type: string;
  status: number;
  title: string;
  detail?: string;
}

/** The service refused a request. There is a subclass for each type of problem. */
export class Problem extends StammtischError {
  readonly document: ProblemDocument;
  /** Seconds after which the request may be repeated. */
  readonly retryAfter: number | null;

  constructor(document: ProblemDocument, retryAfter: number | null = null) {
    super(document.detail ?? document.title);
    this.document = document;
    this.retryAfter = retryAfter;
  }

  /** The type of the problem, such as `not-found`. */
  get type(): string {
    return this.document.type;
  }

  /** Whether the service has said so, and not a proxy in front of it. */
  get isOfService(): boolean {
    return this.type !== "unknown";
  }

  /** The HTTP status. */
  get status(): number {
    return this.document.status;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}
