/** What a tab says by choice when it is the user's turn: a sound and a notification. */

import { memory } from "./page.js";

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
  if (volume && navigator.userActivation?.hasBeenActive) knock(volume / 100, memory.get("sound"));
}

/** Asks for the permission to notify. @returns {Promise<boolean>} Whether there is one now. */
export async function maySay() {
  return "Notification" in globalThis && await Notification.requestPermission() === "granted";
}

/**
 * @typedef {{ type: OscillatorType, pitches: number[], lasts: number }} Sound  Wave, pitches in Hz, seconds of a tone.
 * @type {Sound}
 */
const KNOCK = { type: "triangle", pitches: [196, 262], lasts: 0.14 };

/** The sounds to choose from. @type {Record<string, Sound>} */
export const SOUNDS = {
  knock: KNOCK,
  bell: { type: "sine", pitches: [1047, 784], lasts: 0.7 },
  wood: { type: "square", pitches: [330, 330], lasts: 0.06 },
};

/** Two tones. @param {number} volume  From 0 to 1. @param {string} [sound]  One of `SOUNDS`. */
export function knock(volume, sound = "knock") {
  const audio = new AudioContext(), { type, pitches, lasts } = SOUNDS[sound] ?? KNOCK;
  for (const [index, pitch] of pitches.entries()) {
    const at = audio.currentTime + 0.16 * index, tone = audio.createOscillator(), gain = audio.createGain();
    tone.type = type;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(volume / 2, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + lasts + 0.01);
    if (index === pitches.length - 1) tone.onended = () => audio.close();
  }
}
