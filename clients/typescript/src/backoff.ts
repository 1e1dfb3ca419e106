/** How long a client waits for a service: pauses between attempts, and when it gives up. */

import { Problem, UnknownHost } from "./errors.js";

/** Milliseconds before the second, third ... attempt. The last one is repeated. */
export const PAUSES = [500, 1000, 2000, 4000, 8000];
/** Seconds in which a request is repeated while the service has never answered: the URL may be wrong. */
const FIRST_PATIENCE = 10;
/** After how many failed attempts there is a warning. */
const WARNED = 2;

/** What a client knows of the service: whether it has ever answered, and whether the client has warned that it does not. */
export class Contact {
  readonly #url: string;
  readonly #patience: number;
  readonly #warn: (text: string) => void;
  #hasAnswered = false;
  #hasWarned = false;

  /** @param patience The seconds after the first failure in which attempts are made. */
  constructor(url: string, patience: number, warn: (text: string) => void = console.warn) {
    this.#url = url;
    this.#patience = patience;
    this.#warn = warn;
  }

  /** The patience for the next request, in seconds. */
  get patience(): number {
    return this.#hasAnswered || this.#patience === Infinity ? this.#patience : Math.min(this.#patience, FIRST_PATIENCE);
  }

  /** The service has done what was asked. */
  succeeded(): void {
    this.#hasAnswered = true;
    this.#hasWarned = false;
  }

  /** A request has failed `attempts` times. Throws the failure if repeating is useless. */
  failed(failure: unknown, attempts: number): void {
    if (failure instanceof Problem && failure.isOfService) this.#hasAnswered = true;
    if (failure instanceof UnknownHost && !this.#hasAnswered) throw failure;
    if (attempts !== WARNED || this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = failure instanceof Error ? failure.message : String(failure);
    this.#warn(`${this.#url} does not answer (${reason}); trying again`);
  }
}

/** Pauses between the attempts of a request: longer each time, spread by 20 %, never shorter than asked for. */
export class Backoff {
  readonly #contact: Contact;
  readonly #pauses: readonly number[];
  #attempts = 0;
  #began = 0;

  constructor(contact: Contact, pauses: readonly number[] = PAUSES) {
    this.#contact = contact;
    this.#pauses = pauses;
  }

  /** Waits before the next attempt. Throws `failure` if that would be after the end of patience, or useless. */
  async pause(failure: unknown, seconds: number | null = null): Promise<void> {
    const usual = this.#pauses[Math.min(this.#attempts, this.#pauses.length - 1)] ?? 0;
    const pause = Math.max(usual * (0.8 + 0.4 * Math.random()), (seconds ?? 0) * 1000);
    if (this.#attempts++ === 0) this.#began = Date.now();
    this.#contact.failed(failure, this.#attempts);
    if (Date.now() + pause > this.#began + this.#contact.patience * 1000) throw failure;
    await sleep(pause);
  }

  /** An attempt has succeeded: the next failure is the first one again. */
  reset(): void {
    this.#attempts = 0;
    this.#contact.succeeded();
  }
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
