/**
 * *What if?*: a branch of a finished game. The user plays one seat with its own cards, and the page makes the moves that
 * the house advises for the others.
 */

import { html, styled } from "../core/html.js";
import { namesOf } from "../core/model.js";
import { api, more } from "./page.js";

await Promise.all([more(), styled("weighed")]);

/** @import { State } from "../core/model.js" */

export class WhatIf {
  /** @param {any} game  The branch. @param {number} seat  Of the user. @param {string[]} called  The names in the game that it continues. */
  constructor(game, seat, called) {
    this.path = `${game.ruleset}/${game.id}`;
    this.seat = seat;
    this.called = called;
    /** The place of the review to which the banner leads back. */
    this.back = `table?g=${game.ruleset}/${game.parent.id}#v=${game.parent.at}&as=${seat}&review`;
  }

  /** @param {string} own */
  names(own) {
    return this.called.map((name, seat) => seat === this.seat ? own || name : name);
  }

  /** The seat of the house that is to move now. @param {State} state @returns {{ seat: number, move?: import("../core/types.js").Move } | null} */
  due({ film, shown, game, pending, awaited, replaying }) {
    const settled = !pending && game.version >= awaited && !replaying;
    const others = game.to_act.filter((seat) => seat !== this.seat);
    const now = settled && shown === film.last && film.last === game.version;
    return now && others[0] !== undefined ? { seat: others[0] } : null;
  }

  /** What the house would do there. @param {number} seat */
  async asked(seat) {
    return (await api.request(`games/${this.path}/advice`, { query: { as: seat } })).body.move;
  }

  /** The banner. @param {State} state */
  note({ say }) {
    return html`
      <p
        class="moment-line"><span><b>${say("whatif.title")}</b> ${say("whatif.plays", {
          name: this.called[this.seat],
        })}</span><a class="btn small" href=${this.back}>${say("whatif.back")}</a></p>
    `;
  }
}

/** @param {any} game @param {string} plays  The seat of the user. @param {Pick<State, "labels" | "say">} words */
export async function branchOf(game, plays, words) {
  const seat = Number(plays);
  if (!game.seats[seat]) return null;
  const { body } = await api.request(`games/${game.ruleset}/${game.parent.id}`);
  return new WhatIf(game, seat, namesOf(/** @type {any} */ ({ game: body, ...words })));
}
