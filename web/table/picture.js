/** A picture of the table, 1200 × 630, as SVG from the same drawings: for links that are shared. */
import { card, make, SVG } from "./mini.js";

/**
 * @import { Area, Chair, Model } from "../core/types.js"
 * @import { Box } from "./mini.js"
 */

export const WIDTH = 1200, HEIGHT = 630;
const GAP = 6, LARGEST = 84, LEAST = 12;

/** @param {string} text @param {number} x @param {number} y @param {number} size @param {Record<string, string | number>} [more] */
const words = (text, x, y, size, more = {}) =>
  make("text", { x, y, "font-size": size, fill: "#fdf6e6", "font-family": "Palatino, Georgia, serif", ...more }, text);

/** What of an area is drawn: of a pile its top. @param {Area} area */
const shown = ({ zone, places }) => zone.kind === "pile" ? places.slice(-1) : places;

/** How many cards stand in a line. @param {Area} area @param {number} room @param {number} width */
const inLine = ({ zone: { rows }, places }, room, width) =>
  rows ? Math.ceil(places.length / rows) : Math.max(1, Math.floor((room + GAP) / (width + GAP)));

/** The height of the areas below each other, or infinity if a line does not fit. @param {Area[]} areas @param {Box} box @param {number} width */
function tall(areas, box, width) {
  return areas.reduce((sum, area) => {
    const line = inLine(area, box.width, width), lines = Math.ceil(shown(area).length / line);
    const fits = Math.min(line, shown(area).length) * (width + GAP) - GAP <= box.width;
    return fits ? sum + lines * (width * 1.4 + GAP) + GAP : Infinity;
  }, 0);
}

/** The largest cards with which the areas fit. @param {Area[]} areas @param {Box} box */
function fitting(areas, box) {
  let width = LARGEST;
  while (width > LEAST && tall(areas, box, width) > box.height) width -= 2;
  return width;
}

/** Areas below each other, centred. @param {Area[]} areas @param {Box} box @param {number} width @param {Model} m */
function stack(areas, box, width, m) {
  let top = box.y;
  return areas.flatMap((area) => {
    const places = shown(area), line = inLine(area, box.width, width), { rows, flow } = area.zone;
    const count = Math.min(line, places.length), left = box.x + (box.width - count * (width + GAP) + GAP) / 2;
    const begun = top;
    top += Math.ceil(places.length / line) * (width * 1.4 + GAP) + GAP;
    return places.map((place, index) => {
      const byColumn = rows && flow === "column";
      const [column, row] = byColumn
        ? [Math.floor(index / rows), index % rows]
        : [index % line, Math.floor(index / line)];
      return card(place, area, m, left + column * (width + GAP), begun + row * (width * 1.4 + GAP), width);
    });
  });
}

/** @param {Model} m @param {number | null} seat */
const areasOf = (m, seat) =>
  m.areas.filter((area) =>
    area.seat === seat && !area.zone.token && area.places.length > 0 &&
    (seat === null ? m.table.centre.includes(area.name) : area.zone.at !== "centre")
  );

/** @param {Chair} chair @param {Box} box @param {number} width @param {Model} m */
function chairIn({ seat, name, total, winner, acting }, box, width, m) {
  const on = winner || acting, ink = on ? "#33230a" : "#fdf6e6", middle = box.x + box.width / 2;
  const points = total ?? m.tally?.points?.[seat] ?? null, letters = Math.max(4, Math.floor(box.width / 13) - 5);
  const label = `${name.length > letters ? `${name.slice(0, letters)}…` : name}${points === null ? "" : `  ${points}`}`;
  return [
    make("rect", { ...box, height: 40, rx: 20, fill: on ? "#f7c860" : "#00000042" }),
    words(`${label}${winner ? " ★" : ""}`, middle, box.y + 27, 22, {
      fill: ink,
      "text-anchor": "middle",
      "font-weight": 700,
    }),
    ...stack(areasOf(m, seat), { ...box, y: box.y + 52, height: box.height - 52 }, width, m),
  ];
}

/** The zones of the middle beside each other. @param {Model} m @param {Box} box */
function centre(m, box) {
  const all = areasOf(m, null),
    width = Math.min(72, (box.height - 24) / 1.4),
    step = box.width / Math.max(1, all.length);
  return all.flatMap((area, index) => {
    const room = { x: box.x + index * step, y: box.y, width: step - 2 * GAP, height: box.height - 24 };
    const label = m.say(`labels.zones.${area.name}`), count = area.zone.kind === "pile" ? ` ${area.places.length}` : "";
    const place = { "text-anchor": "middle", "font-family": "sans-serif" };
    return [
      ...stack([area], room, Math.min(width, fitting([area], room)), m),
      words(
        `${label.startsWith("labels.") ? "" : label}${count}`,
        room.x + room.width / 2,
        box.y + box.height,
        16,
        place,
      ),
    ];
  });
}

/**
 * The picture of what is shown.
 * @param {Model} m @param {string} title @param {string} line  Below the title. @param {string} styles  Of cards.
 */
export function picture(m, title, line, styles) {
  const step = (WIDTH - 60) / m.chairs.length, top = 104, bottom = 150;
  const boxes = m.chairs.map((_, index) => ({
    x: 34 + index * step,
    y: top,
    width: step - 12,
    height: HEIGHT - top - bottom - 30,
  }));
  const inside = { ...boxes[0] ?? { x: 0, y: 0, width: 1, height: 1 }, height: HEIGHT - top - bottom - 82 };
  const width = Math.min(...m.chairs.map(({ seat }) => fitting(areasOf(m, seat), inside)));
  const round = make("clipPath", { id: "round" }, make("rect", { width: 100, height: 140, rx: 10 }));
  const light = ["from", "to"].map((cls, offset) => make("stop", { offset, class: cls }));
  return make(
    "svg",
    {
      xmlns: SVG,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      "data-cloth": m.table.cloth ?? "slate",
    },
    make("style", {}, `${styles}\n.from { stop-color: var(--felt); } .to { stop-color: var(--felt2); }`),
    make("defs", {}, round, make("radialGradient", { id: "felt", r: "80%" }, ...light)),
    make("rect", { width: WIDTH, height: HEIGHT, fill: "#6d4a31" }),
    make("rect", { x: 12, y: 12, width: WIDTH - 24, height: HEIGHT - 24, rx: 26, fill: "url(#felt)" }),
    words(title, 40, 68, 42, { "font-weight": 700 }),
    words(line, WIDTH - 40, 66, 22, { "text-anchor": "end" }),
    ...m.chairs.flatMap((chair, index) => chairIn(chair, boxes[index] ?? inside, width, m)),
    ...centre(m, { x: 34, y: HEIGHT - bottom - 12, width: WIDTH - 68, height: bottom - 18 }),
  );
}
