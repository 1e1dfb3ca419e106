/** Renders a position of scenes.py as the page does, for pictures and tests: `window.show(position, options)`. */
import { click, clicksOf, NOTHING } from "/web/core/compose.js";
import { html, render } from "/web/core/html.js";
import * as models from "/web/core/model.js";
import { labelled, sayer } from "/web/core/words.js";
import { card, drawBack, drawFace } from "/web/table/card.js";
import { fan } from "/web/table/fan.js";
import { place } from "/web/table/fit.js";
import { table as draw } from "/web/table/table.js";
import { tableOf } from "/web/tables/index.js";
import { violations } from "./sight.js";

/** @type {Record<string, Promise<any>>} */
const words = {};
const wordsOf = (language) => words[language] ??= fetch(`/web/words/${language}.json`).then((answer) => answer.json());

/** A film that shows one position. @param {any} position */
const filmOf = ({ view, events, tally, acting }) => ({
  first: 1,
  last: events.length,
  items: events.map((event, at) => ({ version: at + 1, event, by: event.seat ?? null, acting })),
  view: () => view,
  tally: () => tally,
  item: () => ({ acting }),
  move: () => [],
  marks: () => [],
});

/** The state of the page at this position. @param {any} position @param {any} options */
async function stateOf(position, { begin = null, clicks = [], hover = null, tapped = false, confirm = null, watching = false, language = "en", switches = {} }) {
  const { ruleset, view, legal, names, you, deck, acting } = position, labels = position.labels[language];
  const table = await tableOf(ruleset), version = position.events.length;
  let choice = { ...NOTHING, switches };
  const begun = legal.findLast(({ type }) => type === begin);
  if (begun) clicks = table.moves[begin](begun, you, view).slice(0, -1);
  if (hover && begun) hover = table.moves[begin](begun, you, view).find((thing) => thing.startsWith(hover)) ?? null;
  for (const thing of clicks) choice = click(table, legal, you, view, choice, thing);
  const seats = names.map((name, seat) => ({ seat, player: seat % 3 === 2 ? null : { id: name, name }, bot: seat % 3 === 2 ? name : null, gone: false }));
  return {
    ...models.fresh(),
    ruleset,
    table,
    deck,
    labels,
    say: labelled(sayer(await wordsOf(language), language), labels),
    game: { seats, version, legal_moves: watching ? [] : legal, you: watching ? null : you, to_act: acting, status: "running", result: null },
    film: filmOf(position),
    shown: version,
    perspective: watching ? "bystander" : String(you),
    replaying: false,
    choice,
    hover,
    tapped,
    confirm,
  };
}

/** @param {any} position @param {any} options */
async function model(position, options = {}) {
  const { replay = null, curtain = null, last = [] } = options, state = await stateOf(position, options);
  const shown = models.model(state, (message) => {
    console.debug(JSON.stringify(message));
    if (message.do === "show") setTimeout(() => globalThis.again?.());
  });
  const { look } = shown;
  return { ...shown, replay, curtain, look: (thing) => ({ ...look(thing), last: last.includes(thing) }) };
}

/** The violations of what is drawn, in every position: chosen first nothing, then half of a move of each type. @param {any[]} positions @param {any} [options] */
window.walk = async (positions, options = {}) => {
  const found = [];
  for (const [number, position] of positions.entries()) {
    const kinds = [...new Set(position.legal.map(({ type }) => type))];
    for (const begin of [null, ...kinds]) {
      const { moves } = await tableOf(position.ruleset), move = position.legal.findLast(({ type }) => type === begin);
      if (begin && moves[begin](move, position.you, position.view).length < 2) continue;
      await window.show(position, { ...options, begin });
      found.push(...violations().map((each) => `${position.ruleset}, ${position.seats} seats, position ${number}, ${begin}: ${each}`));
    }
  }
  return found;
};

/** @param {any} position @param {any} [options] */
window.show = async (position, options = {}) => {
  document.documentElement.dataset.theme = options.theme ?? "light";
  const shown = await model(position, options);
  document.body.dataset.cloth = shown.table.cloth;
  document.getElementById("title").textContent = position.labels[options.language ?? "en"].title;
  globalThis.again = () => place(draw(shown), document.getElementById("root"));
  globalThis.again();
  return [...document.querySelectorAll("[data-thing]")].map((element) => element.getAttribute("data-thing"));
};

/** A render that can be timed. @param {any} scene */
window.prepared = async (scene) => {
  const shown = await model(scene), root = document.getElementById("root");
  return () => void place(draw(shown), root);
};

/**
 * Faces of cards beside each other. Returns where each one is.
 * @param {string} ruleset @param {any[]} cards @param {any} deck @param {number} width
 */
window.sheet = async (ruleset, cards, deck, width) => {
  const table = await tableOf(ruleset);
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
  const table = await tableOf(scene.ruleset), missing = new Set();
  for (const move of scene.legal) {
    const things = table.moves[move.type](move, scene.you, scene.view);
    const switches = Object.fromEntries(Object.keys(table.switches ?? {}).filter((field) => field in move).map((field) => [field, move[field]]));
    for (let clicked = 0; clicked < things.length; clicked++) {
      const there = await window.show(scene, { clicks: things.slice(0, clicked), switches });
      const places = clicksOf(table, { ...move }, scene.you, scene.view).filter((each) => each === things[clicked] || things[clicked].includes("/line/"));
      const button = places.some((each) => there.includes(each) && document.querySelector(`button[data-thing="${each}"]`));
      if (!button) missing.add(`${JSON.stringify(move)}: ${things[clicked]}`);
    }
  }
  return [...missing];
};
/** The icon alone. @param {number} size @param {number} ground  The share of it that is ground at each side. */
window.icon = async (size, ground) => {
  document.body.className = "icon-page";
  document.documentElement.style.background = document.body.style.background = ground ? "#efe8dc" : "transparent";
  const image = Object.assign(new Image(), { src: "/web/icon.svg", width: size * (1 - 2 * ground), height: size * (1 - 2 * ground) });
  image.style.cssText = `position: fixed; inset: 0; margin: auto`;
  document.body.replaceChildren(image);
  await image.decode();
};

/** What a shared link shows: the name and a few cards on cloth. */
window.preview = () => {
  document.body.className = "preview";
  document.body.dataset.cloth = "petrol";
  render(html`<h1>Stammtisch</h1>${fan()}`, document.body);
};
window.ready = true;
void card;
