/**
 * Words in the user's language. A text may have fields, `{name}`, and two forms, `{count} card|{count} cards`, of which
 * the number `count` (or `n`) chooses one.
 */

import { file } from "./later.js";

/** @import { Say } from "./types.js" */

export const LANGUAGES = ["en", "de"];

/** @param {string | null} chosen @param {readonly string[]} preferred  `navigator.languages` */
export function language(chosen, preferred) {
  const wanted = [chosen ?? "", ...preferred.map((each) => each.split("-")[0] ?? "")];
  return wanted.find((each) => LANGUAGES.includes(each)) ?? "en";
}

/** What is written from right to left. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name in a sentence: one that is written from right to left does not reorder what stands beside it. Every field of a
 * sentence goes through this, here and in talk.js.
 * @param {string} text
 */
export const isolated = (text) => LEFTWARDS.test(text) ? `\u2068${text}\u2069` : text;

/**
 * @param {Record<string, string>} texts
 * @param {string} language
 * @returns {Say}
 */
export function sayer(texts, language) {
  const plural = new Intl.PluralRules(language);
  return (key, fields = {}) => {
    const text = texts[key];
    if (text === undefined) return key;
    if (!/[|{]/.test(text)) return text;
    const forms = text.split("|");
    const number = Number(fields.count ?? fields.n);
    const form = forms.length > 1 && plural.select(number) !== "one" ? forms[1] : forms[0];
    return (form ?? "").replace(/\{(\w+)\}/g, (_, name) => isolated(String(fields[name] ?? "")));
  };
}

/** Words, and the labels of a ruleset below `labels.`. @param {Say} say @param {any} labels @returns {Say} */
export const labelled = (say, labels) => (key, fields) => {
  if (!key.startsWith("labels.")) return say(key, fields);
  const found = key.slice("labels.".length).split(".").reduce((node, part) => node?.[part], labels);
  return typeof found === "string" ? found : key;
};

/** Words of a file. @param {string} name  A language, or `more.` and a language. @returns {Promise<Record<string, string>>} */
export async function words(name) {
  return await (await file(new URL(`../words/${name}.json`, import.meta.url))).json();
}
