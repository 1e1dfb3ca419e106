/**
 * Those who play for the house. A name says nothing about how they play: a strength plays alike under all of its names,
 * and it is what the record names.
 */

/** By strength, the weakest first. @type {Record<string, string[]>} */
const WHO = {
  easy: ["Bruno", "Frieda", "Käthe"],
  careful: ["Emil", "Lotte", "Anton"],
  trained: ["Rosa", "Gustav"],
  deep: ["Ilse", "Oskar"],
};

/** How strong that is, in dots: `trained` and `deep` are equally far ahead of `careful`. @type {Record<string, number>} */
export const DOTS = { easy: 1, careful: 2, trained: 3, deep: 3 };

/** Everybody, and how strong they are. */
export const EVERYBODY = Object.entries(WHO).flatMap(([strength, names]) => names.map((name) => ({ name, strength })));

/** The name without the version. @param {string} bot */
const kind = (bot) => bot.split("/")[0] ?? "";

/** A strength of `DOTS`; "": another bot. @param {string | null | undefined} bot */
export const strengthOf = (bot) => bot && kind(bot) in WHO ? kind(bot) : "";

/** The bots that people are offered, the strongest first. With a clock none searches. @param {string[]} bots @param {boolean} clock */
export const offeredBots = (bots, clock) =>
  bots.filter((bot) => strengthOf(bot) && !(clock && kind(bot) === "deep")).toReversed();

/** The bot that is asked first, where there are several. @param {string[]} bots @returns {string} */
export const usualBot = (bots) => bots.find((bot) => kind(bot) === "careful") ?? bots.at(-1) ?? "";

/**
 * By seat, the name of the bot there; undefined where none plays. The first of a strength has its first name.
 * @param {(string | null | undefined)[]} bots @param {Record<string, { title: string }>} [titles]  For other bots.
 * @param {(string | null | undefined)[]} [called]  By seat, the names that the user chose for a table of their own.
 */
export function houseNames(bots, titles = {}, called = []) {
  /** @type {Record<string, number>} */
  const met = {};
  return bots.map((bot, seat) => {
    if (!bot) return undefined;
    if (called[seat]) return called[seat];
    const strength = strengthOf(bot), names = WHO[strength];
    if (!names) return titles[bot]?.title ?? bot;
    const n = met[strength] = (met[strength] ?? -1) + 1, again = Math.floor(n / names.length);
    return `${names[n % names.length]}${again ? ` ${again + 1}` : ""}`;
  });
}
