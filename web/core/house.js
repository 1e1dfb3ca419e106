/**
 * Those who play for the house. A name says nothing about how they play: a strength plays alike under all of its names,
 * and it is what the record names.
 */

/** By strength, the weakest first. @type {Record<string, string[]>} */
const WHO = { easy: ["Bruno", "Frieda", "Käthe"], careful: ["Emil", "Lotte", "Anton"], deep: ["Ilse", "Oskar"] };

export const STRENGTHS = Object.keys(WHO);

/** Everybody, and how strong they are. */
export const EVERYBODY = Object.entries(WHO).flatMap(([strength, names]) => names.map((name) => ({ name, strength })));

/** The bot that has this name, among these. @param {string} name @param {string[]} bots */
export const botOf = (name, bots) => bots.find((bot) => namesOfBot(bot).includes(name));

/** The names of a strength. @param {string} bot @returns {string[]} */
export const namesOfBot = (bot) => WHO[kind(bot)] ?? [];

/** The name without the version. @param {string} bot */
const kind = (bot) => bot.split("/")[0] ?? "";

/** `easy`, `careful` or `deep`; "": another bot. @param {string | null | undefined} bot */
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
  /** @param {string} bot @param {number} seat */
  const chosen = (bot, seat) => {
    const name = called[seat] ?? "";
    return namesOfBot(bot).includes(name) && called.indexOf(name) === seat ? name : undefined;
  };
  const taken = new Set(bots.map((bot, seat) => bot && chosen(bot, seat)));
  /** @type {Record<string, number>} */
  const met = {};
  return bots.map((bot, seat) => {
    if (!bot) return undefined;
    const strength = strengthOf(bot), all = WHO[strength], own = chosen(bot, seat);
    if (!all || own) return own ?? titles[bot]?.title ?? bot;
    const free = all.filter((name) => !taken.has(name)), names = free.length ? free : all;
    const n = met[strength] = (met[strength] ?? -1) + 1, again = Math.floor(n / names.length);
    return `${names[n % names.length]}${again ? ` ${again + 1}` : ""}`;
  });
}
