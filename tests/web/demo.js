/** Renders a position of positions.py as the page does, for pictures and tests: `window.show(position, options)`. */
import { areas } from "/web/core/areas.js";
import { click, compose, NOTHING } from "/web/core/compose.js";
import { html, render } from "/web/core/html.js";
import { sayer } from "/web/core/words.js";
import { card, drawBack, drawFace } from "/web/table/card.js";
import { table as draw } from "/web/table/table.js";
import { TABLES } from "/web/tables/index.js";

/** @param {any} labels @param {string} prefix @returns {[string, string][]} */
const flat = (labels, prefix) =>
  Object.entries(labels).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${prefix}.${key}`, value]] : flat(value, `${prefix}.${key}`)
  );

/** @param {any} move @param {any} labels */
const named = (move, labels) => {
  const fields = Object.entries(move).filter(([key]) => key !== "type").map(([, value]) => JSON.stringify(value));
  return [labels.moves[move.type] ?? move.type, fields.join(" ")].filter(Boolean).join(" ").slice(0, 42);
};

/** @param {any} position @param {any} options */
async function model(
  position,
  {
    begin = null,
    clicks = [],
    hover = null,
    replay = null,
    curtain = null,
    watching = false,
    language = "en",
    last = [],
    switches = {},
  } = {},
) {
  const { ruleset, view, labels, legal, names, you, deck, tally = null } = position;
  const table = (await TABLES[ruleset]()).default;
  const words = await (await fetch(`/web/words/${language}.json`)).json();
  const say = sayer({ ...words, ...Object.fromEntries(flat(labels, "labels")) }, language);
  const shown = areas(table, view);
  let choice = { ...NOTHING, switches };
  const begun = legal.findLast(({ type }) => type === begin);
  if (begun) clicks = table.moves[begin](begun, you, view).slice(0, -1);
  if (hover && begun) hover = table.moves[begin](begun, you, view).find((thing) => thing.startsWith(hover)) ?? null;
  for (const thing of clicks) choice = click(table, legal, you, view, choice, thing);
  const next = compose(table, watching ? [] : legal, you, view, choice);
  const total = view[table.score.total ?? ""] ?? [];
  const chairs = names.map((name, seat) => ({
    seat,
    name,
    player: "p",
    own: seat === you,
    acting: position.acting.includes(seat),
    winner: view.winners?.includes(seat) ?? false,
    house: seat % 3 === 2,
    total: total[seat] ?? null,
    note: table.plate?.(view, seat, say) ?? "",
  }));
  return {
    ruleset,
    table,
    deck,
    view,
    you: watching ? null : you,
    chairs,
    areas: shown,
    hover,
    enlarged: null,
    tally,
    say,
    replay,
    curtain,
    look: (thing) => ({
      legal: next.next.has(thing),
      chosen: choice.clicked.filter((each) => each === thing).length,
      last: last.includes(thing),
    }),
    rail: {
      question: labels.phases?.[view.phase] ?? `What do you do, ${names[you]}?`,
      hint: "",
      cancel: choice.clicked.length > 0,
      confirm: null,
      busy: false,
      chips: next.buttons.map((move, i) => ({ label: named(move, labels), move, main: i === next.buttons.length - 1 })),
      switches: next.switches.map(({ field, value, values }) => ({
        field,
        label: field,
        value,
        values: values.map((each) => ({ value: each, label: String(each ?? "–") })),
      })),
    },
    log: position.events.map((event, i) => ({
      version: 40 + i,
      who: names[event.seat] ?? "",
      text: (labels.events[event.type] ?? event.type).toLowerCase() + ".",
      mark: (table.marks ?? []).includes(event.type),
    })),
    scores: {
      heads: ["1", "2", "now"],
      note: table.score.best === "lowest" ? "fewest wins" : "most wins",
      rows: names.map((name, seat) => ({
        seat,
        name,
        cells: [12, 7, tally?.seats?.[seat] ?? "–"],
        sum: total[seat] ?? 0,
        best: seat === 1,
      })),
    },
    send: (message) => console.debug(JSON.stringify(message)),
  };
}

/** @param {any} position @param {any} [options] */
window.show = async (position, options = {}) => {
  document.documentElement.dataset.theme = options.theme ?? "light";
  const shown = await model(position, options);
  document.body.dataset.cloth = shown.table.cloth;
  document.getElementById("title").textContent = position.labels.title;
  render(draw(shown), document.getElementById("root"));
  return [...document.querySelectorAll("[data-thing]")].map((element) => element.getAttribute("data-thing"));
};

/** All faces of a deck, at a width. @param {{ ruleset: string, cards: any[], deck: any }[]} decks @param {number} width */
window.sheet = async (decks, width) => {
  const sheets = [];
  for (const { ruleset, cards, deck } of decks) {
    const table = (await TABLES[ruleset]()).default;
    sheets.push(html`
      <section data-cloth=${table.cloth}>
        <h2>${ruleset}</h2>
        <ol>${cards.map((each) =>
          html`<li><span class="card">${drawFace(table.face(each, deck, (key) => key))}</span></li>`
        )}
            <li><span class="card is-back">${drawBack(table.weave)}</span></li></ol>
      </section>
    `);
  }
  document.body.className = "sheet";
  document.body.replaceChildren();
  render(html`<div class="sheets" .style=${`--w:${width}px`}>${sheets}</div>`, document.body);
};
window.ready = true;
void card;
