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
    enlarged = null,
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
    enlarged,
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
    send: (message) => {
      console.debug(JSON.stringify(message));
      if (message.do === "show") setTimeout(() => globalThis.again?.());
    },
  };
}

/** @param {any} position @param {any} [options] */
window.show = async (position, options = {}) => {
  document.documentElement.dataset.theme = options.theme ?? "light";
  const shown = await model(position, options);
  document.body.dataset.cloth = shown.table.cloth;
  document.getElementById("title").textContent = position.labels.title;
  globalThis.again = () => render(draw(shown), document.getElementById("root"));
  globalThis.again();
  return [...document.querySelectorAll("[data-thing]")].map((element) => element.getAttribute("data-thing"));
};

/** A render that can be timed. @param {any} scene */
window.prepared = async (scene) => {
  const shown = await model(scene), root = document.getElementById("root");
  return () => void render(draw(shown), root);
};

/**
 * Faces of cards beside each other. Returns where each one is.
 * @param {string} ruleset @param {any[]} cards @param {any} deck @param {number} width
 */
window.sheet = async (ruleset, cards, deck, width) => {
  const table = (await TABLES[ruleset]()).default;
  document.body.className = "sheet";
  document.body.dataset.cloth = table.cloth;
  const faces = cards.map((each) => drawFace(table.face(each, deck, (key) => key)));
  const root = document.getElementById("root") ?? document.body;
  document.querySelector(".bar")?.remove();
  render(
    html`<ol .style=${`--w:${width}px`}>${
      [...faces.map((face) => html`<span class="card">${face}</span>`), html`<span class="card is-back">${drawBack(table.weave)}</span>`].map((card) => html`<li>${card}</li>`)
    }</ol>`,
    root,
  );
  return [...root.querySelectorAll(".card")].map((element) => {
    const { x, y } = element.getBoundingClientRect();
    return [Math.round(x), Math.round(y)];
  });
};

/** Pairs of cards that look too much alike: the share of pixels in which they differ. @param {string} picture @param {number[][]} places @param {number} width @param {number} height */
window.alike = async (picture, places, width, height, least) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const cards = places.map(([x, y]) => context.getImageData(x, y, width, height).data);
  const found = [];
  for (let a = 0; a < cards.length; a++) {
    for (let b = 0; b < a; b++) {
      let differ = 0;
      for (let i = 0; i < cards[a].length; i += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(cards[a][i + channel] - cards[b][i + channel]) > 32)) differ++;
      }
      const share = differ / width / height;
      if (share < least) found.push([b, a, share]);
    }
  }
  return found;
};

/** Clicks the things of every move one after the other; returns the things that are no buttons when they are due. @param {any} scene */
window.unreachable = async (scene) => {
  const table = (await TABLES[scene.ruleset]()).default, missing = new Set();
  for (const move of scene.legal) {
    const things = table.moves[move.type](move, scene.you, scene.view);
    const switches = Object.fromEntries(Object.keys(table.switches ?? {}).filter((field) => field in move).map((field) => [field, move[field]]));
    for (let clicked = 0; clicked < things.length; clicked++) {
      const there = await window.show(scene, { clicks: things.slice(0, clicked), switches });
      const button = there.includes(things[clicked]) && document.querySelector(`button[data-thing="${things[clicked]}"]`);
      if (!button) missing.add(`${JSON.stringify(move)}: ${things[clicked]}`);
    }
  }
  return [...missing];
};
window.ready = true;
void card;
