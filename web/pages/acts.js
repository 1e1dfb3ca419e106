/** What a person asks for beside moves. Loaded when it is asked for. */

import * as dialogs from "./dialogs.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Move, Say } from "../core/types.js"
 *
 * @typedef {object} Asked  The table where it is asked for.
 * @property {State} state
 * @property {string} path  RULESET/ID
 * @property {string | null} invite
 * @property {Say} say
 * @property {(notice: string) => void} done  What is wrong, or "": then what has changed is read.
 * @property {(notice: string) => void} failed  The same, where nothing has changed.
 * @property {(move: Move) => void} choose
 * @property {(name: string, ...given: any[]) => void} act  Another act.
 * @property {() => void} toggleReplay
 * @property {() => import("../core/types.js").Model | null} model
 */

/** @type {Record<string, (asked: Asked, ...given: any[]) => unknown>} */
const ACTS = {
  undo: async ({ state, path, invite, done }) => done(await dialogs.undo(state, path, invite)),
  vote: async ({ path, invite, say, done }, on, yes) => done(await dialogs.vote(path, invite, say, on, yes)),
  rematch: async ({ path, invite, say, done }) => done(await dialogs.rematch(path, invite, say)),
  return: async ({ path, invite, say, done }) => done(await dialogs.comeBack(path, invite, say)),
  leave: async ({ state, path, invite, done }) => done(await dialogs.leave(state, path, invite)),
  give: async ({ path, invite, say, done }, given) => done(await dialogs.give(path, invite, say, given)),
  branch: async ({ state, path, failed }) => failed(await dialogs.branch(state, path)),
  rules: async ({ state }) => (await import("./rules.js")).rules(state),
  keys: ({ say }) => dialogs.keys(say),
  moves: async ({ state, choose }) => {
    const move = await dialogs.allMoves(state);
    if (move) choose(move);
  },
  share: async ({ state, path, model }) => {
    const shown = model();
    if (shown) await (await import("./share.js")).share(state, shown, path);
  },
  about: async ({ state, act, toggleReplay }) => {
    const pressed = await dialogs.about(state);
    if (["rules", "share", "moves", "leave"].includes(pressed)) act(pressed);
    if (pressed === "replay") toggleReplay();
    if (pressed.startsWith("give ")) act("give", pressed);
    if (pressed === "abort") act("vote", "abort", true);
  },
};

/** @param {string} name @param {Asked} asked @param {any[]} given */
export const act = (name, asked, given) => ACTS[name]?.(asked, ...given);
