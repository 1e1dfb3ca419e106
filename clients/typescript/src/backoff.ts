/** Pauses between attempts. */

/** Milliseconds before the second, third ... attempt. The last one is repeated. */
export const PAUSES = [500, 1000, 2000, 4000, 8000];

/** Pauses between the attempts of one request: longer each time, spread by 20 %, never shorter than asked for. */
export class Backoff {
  readonly #pauses: readonly number[];
  readonly #deadline: number;
  #attempts = 0;

  /** @param patience Seconds after which no further attempt is made. */
  constructor(patience: number, pauses: readonly number[] = PAUSES) {
    this.#pauses = pauses;
    this.#deadline = Date.now() + patience * 1000;
  }

  /** Waits before the next attempt. Throws `failure` if that would be after the deadline. */
  async pause(failure: unknown, seconds: number | null = null): Promise<void> {
    const usual = this.#pauses[Math.min(this.#attempts, this.#pauses.length - 1)] ?? 0;
    const pause = Math.max(usual * (0.8 + 0.4 * Math.random()), (seconds ?? 0) * 1000);
    this.#attempts++;
    if (Date.now() + pause > this.#deadline) throw failure;
    await sleep(pause);
  }

  /** The next pause is the shortest again. */
  reset(): void {
    this.#attempts = 0;
  }
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
