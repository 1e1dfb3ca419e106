/** Pauses between attempts. */

/** Milliseconds before the second, third ... attempt. The last one is repeated. */
export const PAUSES = [500, 1000, 2000, 4000, 8000];

/** Pauses between the attempts of a request: longer each time, spread by 20 %, never shorter than asked for. */
export class Backoff {
  readonly #patience: number;
  readonly #pauses: readonly number[];
  #attempts = 0;
  #deadline = 0;

  /** @param patience The seconds after the first failure in which attempts are made. */
  constructor(patience: number, pauses: readonly number[] = PAUSES) {
    this.#patience = patience;
    this.#pauses = pauses;
  }

  /** Waits before the next attempt. Throws `failure` if that would be after the deadline. */
  async pause(failure: unknown, seconds: number | null = null): Promise<void> {
    const usual = this.#pauses[Math.min(this.#attempts, this.#pauses.length - 1)] ?? 0;
    const pause = Math.max(usual * (0.8 + 0.4 * Math.random()), (seconds ?? 0) * 1000);
    if (this.#attempts++ === 0) this.#deadline = Date.now() + this.#patience * 1000;
    if (Date.now() + pause > this.#deadline) throw failure;
    await sleep(pause);
  }

  /** An attempt has succeeded: the next failure is the first one again. */
  reset(): void {
    this.#attempts = 0;
  }
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
