/** The position of a game as a small picture without words: the cards of the others, the middle, the own cards. */
import { areas } from "../core/areas.js";
import { drawBack, drawFace } from "./card.js";

/**
 * @import { Area, Model, Place, Table, View } from "../core/types.js"
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ place: Place, area: Area }} Item
 */

export const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function make(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {Place} place @param {Area} area @param {Model} m @param {number} x @param {number} y @param {number} width */
export function card(place, area, m, x, y, width) {
  const height = width * 1.4, at = `translate(${x} ${y}) scale(${width / 100})`;
  const shape = { width: 100, height: 140, rx: 10 };
  if (place.state === "empty") {
    const hole = { fill: "none", stroke: "#ffffff66", "stroke-width": 2, "stroke-dasharray": "8 6" };
    return make("g", { transform: at }, make("rect", { ...shape, ...hole }));
  }
  const drawn =
    /** @type {SVGElement} */ (place.state === "face"
      ? drawFace(m.table.face(place.card, m.deck, m.say))
      : drawBack(area.zone.weave ?? m.table.weave ?? "rings"));
  drawn.setAttribute("width", "100");
  drawn.setAttribute("height", "140");
  const paper = make("rect", { ...shape, fill: place.state === "face" ? "#fdf9f0" : "var(--cloth)" });
  const cut = make("g", { "clip-path": "url(#round)" }, paper, drawn);
  return make("g", { transform: at, "data-height": height }, cut);
}

const WIDTH = 360, HEIGHT = 184, GAP = 8;
/** The widest card, and how much of a card is seen at least. */
const WIDEST = 58, SEEN = 0.45;

/** Boxes side by side, or below each other. @param {Box} box @param {number} count @param {"x" | "y"} way @returns {Box[]} */
function split(box, count, way) {
  const side = way === "x" ? "width" : "height", size = (box[side] - GAP * (count - 1)) / count;
  return Array.from(
    { length: count },
    (_, index) => ({ ...box, [way]: box[way] + index * (size + GAP), [side]: size }),
  );
}

/** Cards in a row, in the middle of the box; they overlap before they shrink. @param {Item[]} items @param {Box} box @param {any} m */
function row(items, box, m) {
  const last = items.length - 1;
  const width = Math.min(WIDEST, box.height / 1.4, box.width / (1 + SEEN * last));
  const step = last ? Math.min(width * 1.1, (box.width - width) / last) : 0;
  const left = box.x + (box.width - width - step * last) / 2, top = box.y + (box.height - width * 1.4) / 2;
  return items.map(({ place, area }, index) => card(place, area, m, left + step * index, top, width));
}

/** Cards in columns and rows. @param {Area} area @param {Box} box @param {any} m */
function layout(area, box, m) {
  const { rows = 1, flow } = area.zone, columns = Math.ceil(area.places.length / rows);
  const width = Math.min(box.width / (columns * 1.12), box.height / (rows * 1.54)),
    step = width * 1.12,
    down = width * 1.54;
  const left = box.x + (box.width - columns * step) / 2, top = box.y + (box.height - rows * down) / 2;
  return area.places.map((place, index) => {
    const [column, line] = flow === "column"
      ? [Math.floor(index / rows), index % rows]
      : [index % columns, Math.floor(index / columns)];
    return card(place, area, m, left + column * step, top + line * down, width);
  });
}

/** The cards of an area that are drawn: of a pile its top. @param {Area} area @returns {Item[]} */
const items = (area) =>
  (area.zone.kind === "pile" ? area.places.slice(-1) : area.places).filter(({ state }) =>
    state !== "empty" || area.zone.rows
  ).map((place) => ({ place, area }));

/** Layouts as they are, everything else in one row below them. @param {Area[]} found @param {Box} box @param {any} m */
function fill(found, box, m) {
  const laid = found.filter(({ zone, places }) => zone.rows && places.length),
    rest = found.filter(({ zone }) => !zone.rows);
  const cards = rest.flatMap(items);
  if (!laid.length) return row(cards, box, m);
  const room = { ...box, height: box.height * (cards.length ? 0.72 : 1) };
  const below = { ...box, y: box.y + room.height + 4, height: box.height - room.height - 4 };
  return [
    ...split(room, laid.length, "x").flatMap((at, index) => layout(/** @type {Area} */ (laid[index]), at, m)),
    ...row(cards, below, m),
  ];
}

/**
 * @param {View} view @param {number | null} you @param {{ table: Table, deck: any, say: import("../core/types.js").Say }} m
 * @returns {SVGElement}
 */
export function position(view, you, m) {
  const { table } = m, all = areas(table, view).filter(({ zone }) => !zone.token && zone.kind !== "count");
  const seats = [...new Set(all.flatMap(({ seat, zone }) => seat !== null && zone.per ? [seat] : []))];
  /** @param {number | null} seat */
  const of = (seat) => all.filter((area) => area.zone.per ? area.seat === seat : seat === null);
  const middle = of(null), own = you === null ? [] : of(you), rest = seats.filter((seat) => seat !== you);
  const box = { x: 12, y: 12, width: WIDTH - 24, height: HEIGHT - 29 };
  /** @param {number} from @param {number} to  Parts of the height. */
  const part = (from, to) => ({ ...box, y: box.y + box.height * from, height: box.height * (to - from) - GAP / 2 });
  return make(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "position", "aria-hidden": "true" },
    ROUND(),
    ...drawn(),
  );

  /** @returns {SVGElement[]} */
  function drawn() {
    const held = own.filter((area) => area.zone.hand && items(area).length);
    if (table.grid === "lanes") {
      return [
        ...split(held.length ? part(0, 0.62) : box, seats.length, "y").flatMap((line, index) => [
          make("rect", { ...line, rx: 6, fill: "#00000024" }),
          ...row(of(seats[index] ?? 0).filter(({ zone }) => zone.end).flatMap(items), line, m),
        ]),
        ...row(held.flatMap(items), part(0.64, 1), m),
      ];
    }
    if (table.grid === "grids") {
      const low = part(0.4, 1), left = { ...low, width: low.width * (own.length ? 0.36 : 1) };
      const right = { ...low, x: low.x + low.width * 0.4, width: low.width * 0.6 };
      return [
        ...split(part(0, 0.4), rest.length, "x").flatMap((at, index) => fill(of(rest[index] ?? 0), at, m)),
        ...fill(middle, left, m),
        ...fill(own, right, m),
      ];
    }
    return [...fill(middle, part(0, own.length ? 0.46 : 1), m), ...fill(held.length ? held : own, part(0.5, 1), m)];
  }
}

/** What rounds the corners of cards. */
const ROUND = () => make("clipPath", { id: "round" }, make("rect", { width: 100, height: 140, rx: 10 }));
