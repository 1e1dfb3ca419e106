/** What a person asks for beside moves. Loaded when it is asked for. */

import { later, partOf } from "../core/later.js";
import { model } from "../core/model.js";
import * as dialogs from "./dialogs.js";
import { end, isAlone } from "./ending.js";
import { announce, byId } from "./page.js";

/**
 * @import { State } from "../core/model.js"
 * @import { Say } from "../core/types.js"
 * @import { Page } from "./keyboard.js"
 *
 * @typedef {object} Asked  Where it is asked for.
 * @property {Page} page
 * @property {string} path  RULESET/ID
 * @property {string | null} invite
 * @property {Say} say
 * @property {() => void} reread
 * @property {() => void} toggleReplay
 */

/** Requests: they return what is wrong, or ""; undefined if the game is as before. @type {Record<string, (asked: Asked, state: State, ...given: any[]) => Promise<string | undefined>>} */
const REQUESTS = {
  undo: ({ path, invite }, state) => dialogs.undo(state, path, invite),
  tool: async (asked, state, module) => (await partOf(module)).act(asked, state),
  vote: ({ path, invite, say }, _, on, yes, askedBy) => dialogs.vote(path, invite, say, on, yes, askedBy),
  rematch: ({ path, invite }, state) => dialogs.rematch(state, path, invite),
  decline: async () => {
    await (await later(() => import("./finale.js"))).decline();
    return "";
  },
  return: ({ path, invite, say }) => dialogs.comeBack(path, invite, say),
  leave: ({ path, invite }, state) => dialogs.leave(state, path, invite),
  end: ({ path, invite, say }, state) => end(isAlone(state), path, invite, say),
  why: ({ say }, _, key) => {
    announce(say(key), "assertive");
    return Promise.resolve(say(key));
  },
  give: ({ path, invite, say }, _, given) => dialogs.give(path, invite, say, given),
  branch: ({ path }, state) => dialogs.branch(state, path),
  "play on": async ({ path, say }, { ruleset, lesson }) =>
    (await later(() => import("./lesson.js"))).playOn(ruleset, path, say, lesson?.names("") ?? []),
};

/** @type {Record<string, (asked: Asked, state: State) => unknown>} */
const SHOWN = {
  rules: async (_, state) => (await later(() => import("./rules.js"))).rules(state),
  keys: ({ say }) => dialogs.keys(say),
  ended: async ({ page, path }) => {
    page.draw(0);
    (await later(() => import("./finale.js"))).watch(path, page.state, () => page.draw(0));
  },
  "leave lesson": async ({ path }) => {
    await (await later(() => import("./lesson.js"))).leave(path);
    location.href = ".";
  },
  moves: async ({ page }, state) => {
    const move = await dialogs.allMoves(state);
    if (!move) return;
    // The button that asked for the list is hidden while others play, and would lose the focus.
    const main = byId("main"), ask = /** @type {HTMLElement | null} */ (main.querySelector(".ask"));
    if (!main.contains(document.activeElement)) ask?.focus({ preventScroll: true });
    page.send({ do: "move", move });
  },
  share: async ({ page, path }, state) => {
    const drawn = model(state, page.send);
    if (drawn) await (await later(() => import("./share.js"))).share(state, drawn, path);
  },
  about: async (asked, state) => {
    const pressed = await dialogs.about(state);
    if (pressed === "replay") asked.toggleReplay();
    else if (pressed.startsWith("give ")) await act("give", asked, [pressed]);
    else if (pressed.startsWith("tool ")) await act("tool", asked, [pressed.slice(5)]);
    else await act(pressed, asked, []);
  },
};

/** @param {string} name @param {Asked} asked @param {any[]} given */
export async function act(name, asked, given) {
  const { page } = asked, state = page.state();
  if (!state) return;
  const request = REQUESTS[name];
  if (!request) return SHOWN[name]?.(asked, state);
  const wrong = await request(asked, state, ...given);
  if (wrong === undefined) return;
  page.change({ notice: wrong });
  page.draw(0);
  asked.reread();
}
