/**
 * The laws that every table description obeys, over positions of real games (positions.py):
 *
 * 1. every legal move is composed by clicking its things, and no other move is;
 * 2. every step pairs completely, forward and back, from every perspective;
 * 3. patches fold to the views of the service, byte for byte;
 * 4. every thing that a move names is among the things drawn;
 * 5. every state, also while a move is composed, has a prompt of its ruleset in which every placeholder has a value,
 *    and which lists no moves (of tables with prompts; A8 and A9);
 * 6. every legal move has words with its cards, and no two moves of a choice read alike;
 * 7. before anything is chosen the table asks what the text asks (domain/telling.py).
 */

import { areas, things } from "../../web/core/areas.js";
import { click, compose, isByName, NOTHING, same, thingsOf } from "../../web/core/compose.js";
import { apply } from "../../web/core/film.js";
import { pair } from "../../web/core/flights.js";

import { promptOf } from "../../web/core/prompts.js";
import { valueAt } from "../../web/core/talk.js";
import { labelled, sayer } from "../../web/core/words.js";
import { choicesOf, wordsOf } from "../../web/pages/choices.js";

/** @import { Area, Move, Table } from "../../web/core/types.js" */

/** Of more legal moves than this only some are composed, others in each position. */
const MANY = Number(Deno.env.get("MANY") ?? 8);
/** More cards than this: a deal, for which cards can come out of the box or go back into it. */
const DEAL = 12;
/** Of more moves than this that the same clicks make, a player does not choose by name. */
const NAMES = 8;

/**
 * The violations of a game.
 * @param {Table} table
 * @param {string} file  The lines that positions.py wrote.
 * @param {{ pairing?: boolean, ruleset?: any }} [options]  A derived description need not show every card, and has no
 *   prompts. `ruleset`: its description, with the labels.
 */
export function* violations(table, file, { pairing = true, ruleset = null } = {}) {
  const [{ deck }, ...steps] = file.split("\n").map((line) => JSON.parse(line));
  /** @type {any[]} */
  let events = [];
  let fresh = true;
  /** @type {Record<string, any>} */
  const views = {};
  /** @type {Record<string, Area[]>} */
  const drawn = {};
  for (const { version, patches, legal, questions, views: full, event, more } of steps) {
    events = fresh ? [event] : [...events, event];
    fresh = !more;
    for (const [name, patch] of Object.entries(patches)) {
      const [view, before] = [apply(views[name], patch), drawn[name]];
      views[name] = view;
      if (full && JSON.stringify(view) !== full[name]) yield `law 3: version ${version}, ${name}`;
      if (view === null || (!patch.length && before)) continue;
      const after = drawn[name] = areas(table, view);
      if (pairing && before) yield* unpaired(before, after, `version ${version}, ${name}`);
    }
    for (const [seat, moves] of Object.entries(legal)) {
      const at = `version ${version}, seat ${seat}`;
      yield* uncomposed(table, moves, Number(seat), views[seat], version, at);
      if (ruleset) {
        yield* unasked(table, moves, Number(seat), views[seat], { ruleset, deck, events, told: questions?.[seat] }, at);
      }
      if (ruleset) yield* unsaid(table, moves, Number(seat), views[seat], { ruleset, deck }, at);
      yield* undrawn(table, moves, Number(seat), views[seat], drawn[seat] ?? [], at);
    }
  }
}

/** @param {Area[]} before @param {Area[]} after @param {string} at */
function* unpaired(before, after, at) {
  for (const [from, to] of /** @type {[Area[], Area[]][]} */ ([[before, after], [after, before]])) {
    const { flights, left, came } = pair(from, to);
    const dealt = flights.length + left.length + came.length > DEAL && !(left.length && came.length);
    if ((left.length || came.length) && !dealt) {
      yield `law 2: ${at}: left ${JSON.stringify(left.slice(0, 3))}, came ${JSON.stringify(came.slice(0, 3))}`;
      return;
    }
  }
}

/**
 * @param {Table} table
 * @param {Move[]} moves
 * @param {number} you
 * @param {any} view
 * @param {number} version
 * @param {string} at
 */
function* uncomposed(table, moves, you, view, version, at) {
  const stride = Math.ceil(moves.length / MANY);
  for (const move of moves.filter((_, index) => (index + version) % stride === 0)) {
    /** @type {Record<string, unknown>} */
    const switches = {};
    for (const field of Object.keys(table.switches ?? {})) if (field in move) switches[field] = move[field];
    const clicks = thingsOf(table, move, you, view);
    for (const order of [clicks, clicks.toReversed()]) {
      let choice = { ...NOTHING, switches };
      for (const thing of order) choice = click(table, moves, you, view, choice, thing);
      const { move: made, buttons } = compose(table, moves, you, view, choice);
      if (buttons.length > NAMES) yield `law 1: ${at}: ${buttons.length} moves by ${order.join(", ")}`;
      if (made ? !same(made, move) : !buttons.some((each) => same(each, move))) {
        yield `law 1: ${at}: ${JSON.stringify(move)} by ${order.join(", ")} is ${JSON.stringify(made ?? buttons)}`;
      }
    }
  }
}

/**
 * @param {Table} table
 * @param {Move[]} moves
 * @param {number} you
 * @param {any} view
 * @param {Area[]} shown
 * @param {string} at
 */
function* undrawn(table, moves, you, view, shown, at) {
  const known = things(shown);
  for (const move of moves) {
    if (!(move.type in table.moves)) yield `law 4: ${at}: nobody knows how to click ${move.type}`;
    const missing = thingsOf(table, move, you, view).filter((thing) => !known.has(thing) && !isByName(thing));
    if (missing.length) yield `law 4: ${at}: ${JSON.stringify(move)} points at ${missing.join(", ")}`;
  }
}

/** Words as the page has them. @type {Record<string, Record<string, string>>} */
const WORDS = Object.fromEntries(
  ["en", "de"].map((
    language,
  ) => [language, JSON.parse(Deno.readTextFileSync(new URL(`../../web/words/${language}.json`, import.meta.url)))]),
);

/**
 * @param {Table} table
 * @param {Move[]} legal
 * @param {number} you
 * @param {any} view
 * @param {{ ruleset: any, deck: any, events: any[], told?: Record<string, string> }} game
 * @param {string} at
 */
function* unasked(table, legal, you, view, { ruleset, deck: named, events, told }, at) {
  const deck = ruleset.deck_data[named] ?? named, kinds = new Map(legal.map((move) => [move.type, move]));
  const steps = [NOTHING, ...[...kinds.values()].flatMap((move) => prefixes(table, move, you, view))];
  for (const choice of steps) {
    const { left, move, buttons } = compose(table, legal, you, view, choice);
    const grave = (move ? [move] : buttons).filter((each) => table.confirm?.(each, view, you, deck, legal));
    for (const confirmed of move ? grave : [null, ...grave]) {
      const asking = { view, you, deck, clicked: choice.clicked, left, legal, confirm: confirmed, events };
      const asked = table.asked?.({ ...asking, tally: null });
      if (!asked) return;
      const isOpen = !choice.clicked.length && !confirmed;
      for (const [language, words] of Object.entries(WORDS)) {
        const labels = { ...ruleset.labels[language], captions: {} }, say = labelled(sayer(words, language), labels);
        const tongue = { table, deck, labels, names: ["Ann", "Hans", "Ina", "Max", "Eva", "Udo", "Ida", "Leo"], say };
        const prompt = promptOf({ ...asking, tally: null }, tongue);
        const where = `law 5: ${at}: ${language} ${prompt?.key} ${choice.clicked}`;
        if (!prompt) yield `${where}: no prompt`;
        for (const text of prompt ? [prompt.ask, prompt.say, ...buttons.map((each) => prompt.verb(each))] : []) {
          if (/[{}[\]]|undefined|null|NaN/.test(text)) yield `${where}: ${text}`;
        }
        const scope = { ...view, you, legal, ...asked.fields };
        for (const each of prompt ? gaps(labels, prompt, scope, asked, buttons) : []) yield `${where}: ${each}`;
        if (isOpen && !asked.key && told) yield* unlike(told, language, asking, tongue, where);
        if (prompt && lists(prompt.ask, Object.values(labels.moves ?? {}))) yield `${where}: ${prompt.ask}`;
      }
    }
  }
}

/**
 * @param {Table} table
 * @param {Move[]} legal
 * @param {number} you
 * @param {any} view
 * @param {{ ruleset: any, deck: any }} game
 * @param {string} at
 */
function* unsaid(table, legal, you, view, { ruleset, deck: named }, at) {
  const deck = ruleset.deck_data[named] ?? named;
  for (const [language, words] of Object.entries(WORDS)) {
    const labels = { ...ruleset.labels[language], captions: {} }, say = labelled(sayer(words, language), labels);
    const tongue = {
      table,
      deck,
      labels,
      names: ["Ann", "Hans", "Ina", "Max", "Eva", "Udo", "Ida", "Leo"],
      say,
      ruleset: ruleset.name,
    };
    const texts = choicesOf(legal, view, you, tongue);
    for (const [index, move] of legal.entries()) {
      const text = texts[index] ?? "", where = `law 6: ${at}: ${language} ${JSON.stringify(move)}: ${text}`;
      if (wordsOf(move, view, you, tongue) === null) yield `${where}: no words`;
      if (/[{}[\]]|undefined|null|NaN| {2}|\(\)|\b[a-z]\d+-\d/.test(text)) yield `${where}: not in words`;
      if (texts.indexOf(text) !== index) yield `${where}: another move reads the same`;
    }
  }
}

const PLACEHOLDER = /{([\w.()-]+)(?::([a-z]+))?}/g;

/** The placeholders of a prompt with no value, or with a code that has no word. @param {any} labels @param {any} prompt @param {any} scope @param {any} asked @param {Move[]} buttons */
function* gaps(labels, { key }, scope, { of }, buttons) {
  const { ask, say = "", do: verbs = {} } = labels.prompts[key];
  const parts = [[ask, scope], [say, scope]];
  for (const move of buttons) if (verbs[move.type]) parts.push([verbs[move.type], { ...scope, ...of?.(move) }]);
  for (const [template, fields] of parts) {
    const needed = new Set([...template.replace(/\[[^\]]*\]/g, "").matchAll(PLACEHOLDER)].map(([whole]) => whole));
    for (const [whole, path = "", kind] of template.matchAll(PLACEHOLDER)) {
      const value = valueAt(fields, path), name = path.split(".").at(-1) ?? "";
      if (needed.has(whole) && (value ?? null) === null) yield `${whole} has no value`;
      const isCode = !kind && typeof value === "string" && !/^[+-]?\d/.test(value);
      if (isCode && labels.values?.[name]?.[value] === undefined) yield `no word for ${whole} ${value}`;
    }
  }
}

/** The question differs from that of the text (domain/telling.py), with cards and seats named as there. @param {Record<string, string>} told @param {string} language @param {any} asking @param {any} tongue @param {string} where */
function* unlike(told, language, asking, tongue, where) {
  /** @param {any} card */
  const name = (card) => Array.isArray(card) ? card.join("/") : tongue.labels.cards[card] ?? String(card);
  const table = { ...tongue.table, name, face: () => ({}) }, word = language === "en" ? "Seat" : "Platz";
  const names = tongue.names.map((/** @type {string} */ _, /** @type {number} */ seat) =>
    `${word} ${seat + 1}${seat === asking.you ? language === "en" ? " (you)" : " (du)" : ""}`
  );
  const ask = promptOf(asking, { ...tongue, table, names })?.ask.replace("’", "'");
  if (ask !== told[language]) yield `${where.replace("law 5", "law 7")}: ${ask} | ${told[language]}`;
}

/** The question lists names of moves. @param {string} ask @param {string[]} moves */
const lists = (ask, moves) => {
  const said = ask.toLowerCase(), names = moves.map((name) => name.toLowerCase());
  return names.some((one) => names.some((other) => one !== other && said.includes(`${one}, ${other}`)));
};

/** Every way to begin composing the move. @param {Table} table @param {Move} move @param {number} you @param {any} view */
function prefixes(table, move, you, view) {
  const clicks = thingsOf(table, move, you, view);
  const switches = Object.fromEntries(
    Object.keys(table.switches ?? {}).filter((field) => field in move).map((field) => [field, move[field]]),
  );
  return [clicks, clicks.toReversed()].flatMap((order) =>
    order.map((_, count) => ({ clicked: order.slice(0, count + 1), switches }))
  );
}
