/** The laws over the games in the folder `POSITIONS`, which test_units.py has written. */

import { describe } from "../../web/core/describe.js";
import { violations } from "./laws.js";

/** @import { Table } from "../../web/core/types.js" */

const folder = Deno.env.get("POSITIONS") ?? "";
const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
const rulesets = names.filter((name) => name.endsWith(".ruleset.json")).map((name) => name.split(".")[0] ?? "");

/** @param {string} ruleset */
const games = (ruleset) => names.filter((name) => name.startsWith(`${ruleset}-`));
/** @param {string} name */
const read = (name) => Deno.readTextFileSync(`${folder}/${name}`);
/** @param {string} ruleset @returns {Promise<Table>} */
const tableOf = async (ruleset) => (await import(`../../web/tables/${ruleset}.js`)).default;

/** @param {Iterable<string>} found @param {number} most */
function some(found, most) {
  const taken = [];
  for (const each of found) {
    taken.push(each);
    if (taken.length === most) break;
  }
  return taken;
}

for (const ruleset of rulesets) {
  Deno.test(`laws: ${ruleset}`, async () => {
    const table = await tableOf(ruleset), description = JSON.parse(read(`${ruleset}.ruleset.json`));
    const broken = games(ruleset).flatMap((name) =>
      some(violations(table, read(name), { ruleset: description }), 3).map((law) => `${name} ${law}`)
    );
    if (broken.length) throw new Error(`\n${broken.slice(0, 12).join("\n")}`);
  });

  Deno.test(`laws: ${ruleset} without a table of its own`, () => {
    const table = describe(JSON.parse(read(`${ruleset}.ruleset.json`)));
    const few = games(ruleset).slice(0, 2);
    const broken = few.flatMap((name) => some(violations(table, read(name), { pairing: false }), 3));
    if (broken.length) throw new Error(`\n${broken.slice(0, 12).join("\n")}`);
  });
}

/** @typedef {(move: any, you: number, view: any) => string[]} Pointed */

/** @param {Table} table @param {(pointed: Pointed) => Pointed} change @returns {Record<string, Pointed>} */
function mapped(table, change) {
  return Object.fromEntries(Object.entries(table.moves).map(([type, pointed]) => [type, change(pointed)]));
}

/**
 * Faults in a description, and the law that notices them.
 * @type {[string, string, (table: Table) => Table, ((ruleset: any) => any)?][]}
 */
const FAULTS = [
  ["a type of moves is left out", "law 4", (table) => {
    const { [Object.keys(table.moves)[0] ?? ""]: _, ...moves } = table.moves;
    return { ...table, moves };
  }],
  ["a zone is left out", "law 2", (table) => {
    const [name = ""] = Object.entries(table.zones).find(([, { token }]) => !token) ?? [];
    const { [name]: _, ...zones } = table.zones;
    return { ...table, zones };
  }],
  ["no move points at a place", "law 1", (table) => ({
    ...table,
    switches: {},
    moves: mapped(
      table,
      (pointed) => (move, you, view) => pointed(move, you, view).filter((thing) => !/\d/.test(thing)),
    ),
  })],
  ["a state has no prompt", "law 5", (table) => ({ ...table, asked: () => ({ key: "nothing" }) })],
  ["a placeholder has no value", "law 5", (table) => ({
    ...table,
    asked: (asking) => ({ key: table.asked?.(asking).key ?? "" }),
  })],
  ["a value has no word", "law 5", (table) => table, (ruleset) => {
    const { labels: { en } } = ruleset, ask = "{phase}";
    const prompts = Object.fromEntries(Object.keys(en.prompts).map((key) => [key, { ask }]));
    return { ...ruleset, labels: { ...ruleset.labels, en: { ...en, prompts } } };
  }],
  ["the text asks something else", "law 7", (table) => table, (ruleset) => {
    const { labels: { en } } = ruleset,
      prompts = Object.fromEntries(
        Object.entries(en.prompts).map(([key, prompt]) => [key, { ...prompt, ask: `Please: ${prompt.ask}` }]),
      );
    return { ...ruleset, labels: { ...ruleset.labels, en: { ...en, prompts } } };
  }],
  ["a question lists moves", "law 5", (table) => table, (ruleset) => {
    const { labels: { en } } = ruleset, ask = Object.values(en.moves).slice(0, 2).join(", ");
    const prompts = Object.fromEntries(Object.keys(en.prompts).map((key) => [key, { ask }]));
    return { ...ruleset, labels: { ...ruleset.labels, en: { ...en, prompts } } };
  }],
  ["moves have no words", "law 6", (table) => table, (ruleset) => {
    const labels = Object.entries(ruleset.labels).map(([language, all]) => [language, { ...all, choices: {} }]);
    return { ...ruleset, labels: Object.fromEntries(labels) };
  }],
  ["a field is swapped", "law 4", (table) => ({
    ...table,
    moves: mapped(
      table,
      (pointed) => (move, you, view) =>
        pointed(move, you, view).map((thing) => thing.split("/").toReversed().join("/")),
    ),
  })],
];

for (const ruleset of rulesets) {
  for (const [fault, law, plant, described = (/** @type {any} */ each) => each] of FAULTS) {
    Deno.test(`planted in ${ruleset}: ${fault}`, async () => {
      const table = plant(await tableOf(ruleset));
      const [name = ""] = games(ruleset), description = described(JSON.parse(read(`${ruleset}.ruleset.json`)));
      const found = [];
      try {
        const ruleset = /[567]$/.test(law) ? description : null;
        for (const each of violations(table, read(name), { ruleset })) {
          found.push(each);
          if (each.startsWith(law)) break;
        }
      } catch (error) {
        found.push(String(error));
      }
      if (!found.some((each) => each.startsWith(law))) throw new Error(`not noticed by ${law}: ${found.slice(0, 3)}`);
    });
  }
}
