/**
 * Moves, exactly once: a move is kept with its key until it is answered, also over a reload. Only its player sends it.
 */

import { random } from "./identity.js";

/**
 * @import { Move } from "./types.js"
 * @import { Api } from "./api.js"
 * @import { Channel } from "./channel.js"
 * @import { Memory } from "./identity.js"
 */

/**
 * @typedef {object} Letter
 * @property {string} game  RULESET/ID
 * @property {string | null} player  The id.
 * @property {Move} move
 * @property {string} key
 * @property {string | null} seat  The perspective, `?as=`; null: the caller's.
 * @property {number} version  Of the game that the move was decided on.
 */

/** What of the answer is used. @typedef {{ version: number }} Made */

/**
 * @typedef {{ is: "made", answer: Made } | { is: "illegal", legal: Move[] } | { is: "stale" }
 *   | { is: "failed", problem: any }} Outcome
 */

const PAUSES = [500, 1000, 2000, 4000, 8000];

/** @param {any} letter @returns {letter is Letter} */
const isLetter = (letter) =>
  /^([a-z][\da-z-]*\.)*[a-z]\w*\/[\w-]+ [0-9a-f]{32} (null|\d+) \d+ \w+$/.test(
    [letter?.game, letter?.key, `${letter?.seat}`, letter?.version, letter?.move?.type].join(" "),
  );

/**
 * Sends moves over the play channel, or over REST while there is none: the same key makes it one move.
 * @param {Api} api
 * @param {() => Channel | null} way
 * @param {string | null} invite
 * @returns {(letter: Letter) => Promise<Made>}
 */
export const sender = (api, way, invite) => async ({ game, move, key, seat, version }) => {
  const channel = way();
  if (channel?.condition === "open") {
    const where = { ...(seat === null ? {} : { as: Number(seat) }), ...(invite === null ? {} : { invite }) };
    return await channel.request({ type: "move", game, move, key, version, ...where });
  }
  const { body } = await api.request(`games/${game}/moves`, {
    method: "POST",
    body: move,
    query: { as: seat },
    headers: { "Idempotency-Key": key, "If-Match": `"${version}.0"`, Prefer: "return=minimal", Invite: invite },
  });
  return body;
};

export class Outbox {
  /**
   * @param {object} parts
   * @param {Memory} parts.memory
   * @param {() => string | null} parts.player  The id of the user.
   * @param {(letter: Letter) => Promise<Made>} parts.post
   * @param {(milliseconds: number, firm: boolean) => Promise<void>} parts.wait  Not `firm`: it may be shorter.
   * @param {(letter: Letter | null, outcome?: Outcome) => void} [parts.changed]  A move is under way, or it is answered.
   */
  constructor({ memory, player, post, wait, changed = () => {} }) {
    this.memory = memory;
    this.player = player;
    this.post = post;
    this.wait = wait;
    this.changed = changed;
  }

  /** The user's open move of the game. @param {string} game @returns {Letter | null} */
  open(game) {
    const letter = this.memory.get(`outbox.${game}`);
    return isLetter(letter) && letter.game === game && letter.player === this.player() ? letter : null;
  }

  /**
   * Sends the move until it is answered. One open move a game: if another tab has one, that is sent instead, and this
   * one is stale.
   * @param {Omit<Letter, "key" | "player">} letter
   * @returns {Promise<Outcome>}
   */
  async send(letter) {
    const open = this.open(letter.game);
    if (open) {
      await this.deliver(open);
      return { is: "stale" };
    }
    const sealed = { ...letter, player: this.player(), key: random() };
    this.memory.set(`outbox.${letter.game}`, sealed);
    return await this.deliver(sealed);
  }

  /** @param {Letter} letter @returns {Promise<Outcome>} */
  async deliver(letter) {
    for (let attempt = 0;; attempt++) {
      const answer = this.attempt(letter);
      if (!attempt) this.changed(letter); // the move is out before anything is drawn
      const outcome = await answer;
      if (outcome.is !== "unanswered") {
        this.memory.set(`outbox.${letter.game}`, null);
        this.changed(null, outcome);
        return outcome;
      }
      const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 0, asked = (outcome.retryAfter ?? 0) * 1000;
      await this.wait(Math.max(pause, asked), asked > 0);
    }
  }

  /** @param {Letter} letter @returns {Promise<Outcome | { is: "unanswered", retryAfter: number | null }>} */
  async attempt(letter) {
    if (letter.player !== this.player()) return { is: "stale" };
    try {
      return { is: "made", answer: await this.post(letter) };
    } catch (error) {
      const { status, document, transient, retryAfter } = /** @type {any} */ (error);
      if (transient) return { is: "unanswered", retryAfter };
      if (document?.type === "illegal-move") return { is: "illegal", legal: document.legal_moves };
      if (document?.type === "stale-decision") return { is: "stale" };
      if (status === undefined) throw error;
      return { is: "failed", problem: error };
    }
  }
}
