/** The connection of a tab, and what it says by choice: a sound and a notification when it is the user's turn. */

import { Channel, Turns } from "../core/channel.js";
import { followIdentity, identity } from "../core/identity.js";
import { api, memory } from "./page.js";

/** @import { Say } from "../core/types.js" */

/** In percent, if nothing else is chosen; 0: no sound. */
export const VOLUME = 60;

/** @param {string} game  RULESET/ID @param {Say} say @param {boolean} here  It is shown on this page. */
export function ring(game, say, here) {
  sound();
  if (!memory.get("notify") || !document.hidden || globalThis.Notification?.permission !== "granted") return;
  const note = new Notification(say("ui.your_turn"), { tag: game, body: game.split("/")[0] ?? "" });
  note.onclick = () => {
    focus();
    note.close();
    if (!here) location.href = `table?g=${game}`;
  };
}

/** Knocks, as loudly as it was chosen. Browsers are silent until the first click. */
export function sound() {
  const volume = memory.get("volume") ?? VOLUME;
  if (volume && navigator.userActivation?.hasBeenActive) knock(volume / 100);
}

/** Asks for the permission to notify. @returns {Promise<boolean>} Whether there is one now. */
export async function maySay() {
  return "Notification" in globalThis && await Notification.requestPermission() === "granted";
}

/** Two knocks on wood. @param {number} volume  From 0 to 1. */
export function knock(volume) {
  const audio = new AudioContext();
  for (const [index, pitch] of [196, 262].entries()) {
    const at = audio.currentTime + 0.16 * index, tone = audio.createOscillator(), gain = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(volume / 2, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.14);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.15);
    if (index) tone.onended = () => audio.close();
  }
}

/** One web socket for all that a tab follows and does, as the user who it is now. @param {(condition: import("../core/channel.js").Condition) => void} [changed] */
export function channelOf(changed) {
  const url = new URL("v1/channel", api.base);
  url.protocol = url.protocol.replace("http", "ws");
  const channel = new Channel({ url, token: () => identity(memory)?.token ?? null, changed });
  followIdentity(memory, () => channel.identify());
  return channel;
}

/** Follows the tables that wait for the user, from when there is one. @param {Channel} channel @param {(turns: Turns, entered: string | null) => void} changed */
export function followTurns(channel, changed) {
  /** @type {Turns | null} */
  let turns = null;
  const follow = () => {
    if (turns || !identity(memory)) return;
    turns = new Turns({ api, channel, changed });
    turns.start();
  };
  follow();
  followIdentity(memory, follow);
}
