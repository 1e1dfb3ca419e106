/** Sitting down, and in sealed games opening the entropy: nobody notices. */

import { identity, random } from "../core/identity.js";
import { allSealed, seal } from "../core/seal.js";
import { api, memory } from "./page.js";

/** What this browser has sealed in a game, until it is opened. @param {string} id */
const place = (id) => `sealed.${id}`;

/**
 * Takes a seat. In a sealed game only the seal of the entropy is sent, and the entropy is kept: also over a reload.
 * @param {string} path  RULESET/ID @param {string | null} invite @param {number | null} [wanted]  null: any.
 */
export async function sit(path, invite, wanted = null) {
  const headers = { Invite: invite };
  const { body: game } = await api.request(`games/${path}`, { headers });
  if (!game.sealed || game.status !== "waiting" || game.you !== null) {
    const body = game.sealed ? { seat: wanted } : { seat: wanted, entropy: game.deal ? "" : random() };
    return await api.request(`games/${path}/seats`, { method: "POST", body, headers });
  }
  const free = game.seats.filter((/** @type {any} */ { player, bot }) => !player && !bot), me = identity(memory)?.id;
  const own = free.find((/** @type {any} */ { reserved }) => reserved?.id === me);
  const seat = wanted ?? (own ?? free.find((/** @type {any} */ { reserved }) => !reserved) ?? game.seats[0]).seat;
  const kept = memory.get(place(game.id)), entropy = kept?.seat === seat ? kept.entropy : random();
  memory.set(place(game.id), { seat, entropy }); // first: a seal whose entropy is lost stops the game
  const body = { seat, seal: seal(game.id, seat, entropy) };
  return await api.request(`games/${path}/seats`, { method: "POST", body, headers });
}

/** The requests that are under way, by game. @type {Set<string>} */
const opening = new Set();

/**
 * Opens the user's entropy when all seats are taken, if the log has a seal of each player. Its head is kept before, so
 * that the proof of the game finds another log.
 * @param {import("../core/line.js").Line} line @param {() => void} changed
 */
export async function ready(line, changed) {
  const { game, path, film } = line;
  if (!game?.sealed || game.you === null || game.seats[game.you]?.ready || film.last < game.version) return;
  const kept = memory.get(place(game.id)), { you } = game;
  const items = Array.from({ length: film.last }, (_, index) => film.item(index + 1));
  const sealed = kept?.seat === you &&
    allSealed(items.map((item) => item?.event), you, seal(game.id, you, kept.entropy));
  if (!sealed || opening.has(path)) return;
  opening.add(path);
  try {
    await line.checking; // the heads of the log follow from one another
    if (line.film.last !== items.length) return;
    memory.set(`seen.${path}`, { version: items.length, head: items.at(-1)?.head });
    const headers = { Invite: line.invite };
    await api.request(`games/${path}/ready`, { method: "POST", body: { entropy: kept.entropy }, headers });
    memory.set(place(game.id), null);
    changed();
  } catch {
    setTimeout(changed, 1000); // another tab was faster, or there was no answer: the game tells
  } finally {
    opening.delete(path);
  }
}
