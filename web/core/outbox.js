/**
 * Moves, exactly once: a move is kept with its key until it is answered, also over a reload.
 */

import { random } from "./identity.js";

/**
 * @import { Move } from "./types.js"
 * @import { Answer } from "./api.js"
 * @import { Memory } from "./storage.js"
 */

/**
 * @typedef {object} Letter
 * @property {string} game  RULESET/ID
 * @property {Move} move
 * @property {string} key
 * @property {string | null} seat  The perspective, `?as=`; null: the caller's.
 * @property {string | null} etag  Of the game that the move was decided on.
 */

/**
 * @typedef {{ is: "made", answer: any } | { is: "illegal", legal: Move[] } | { is: "stale", missed: any[] }
 *   | { is: "failed", problem: any }} Outcome
 */

const PAUSES = [500, 1000, 2000, 4000, 8000];

export class Outbox {
  /**
   * @param {object} parts
   * @param {Memory} parts.memory
   * @param {(letter: Letter) => Promise<Answer>} parts.post
   * @param {(milliseconds: number) => Promise<void>} parts.wait
   * @param {(letter: Letter | null, outcome?: Outcome) => void} [parts.changed]  A move is under way, or it is answered.
   */
  constructor({ memory, post, wait, changed = () => {} }) {
    this.memory = memory;
    this.post = post;
    this.wait = wait;
    this.changed = changed;
  }

  /** The open move of the game. @param {string} game @returns {Letter | null} */
  open(game) {
    const letter = this.memory.get(`outbox.${game}`);
    return letter && typeof letter.key === "string" ? letter : null;
  }

  /**
   * Sends the move until it is answered. One open move a game.
   * @param {Omit<Letter, "key">} letter
   * @returns {Promise<Outcome>}
   */
  send(letter) {
    const open = this.open(letter.game);
    if (open) return this.deliver(open);
    const sealed = { ...letter, key: random() };
    this.memory.set(`outbox.${letter.game}`, sealed);
    return this.deliver(sealed);
  }

  /** @param {Letter} letter @returns {Promise<Outcome>} */
  async deliver(letter) {
    this.changed(letter);
    for (let attempt = 0;; attempt++) {
      const outcome = await this.attempt(letter);
      if (outcome.is !== "unanswered") {
        this.memory.set(`outbox.${letter.game}`, null);
        this.changed(null, outcome);
        return outcome;
      }
      const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 0;
      await this.wait(Math.max(pause, (outcome.retryAfter ?? 0) * 1000));
    }
  }

  /** @param {Letter} letter @returns {Promise<Outcome | { is: "unanswered", retryAfter: number | null }>} */
  async attempt(letter) {
    try {
      return { is: "made", answer: (await this.post(letter)).body };
    } catch (error) {
      const { status, document, transient, retryAfter } = /** @type {any} */ (error);
      if (transient) return { is: "unanswered", retryAfter };
      if (document?.type === "illegal-move") return { is: "illegal", legal: document.legal_moves };
      if (document?.type === "stale-decision") return { is: "stale", missed: document.missed };
      if (status === undefined) throw error;
      return { is: "failed", problem: error };
    }
  }
}
