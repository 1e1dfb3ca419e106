/**
 * QR codes (ISO/IEC 18004) for short texts: versions 1 to 6 at error correction level L, in byte mode.
 */

/** Codewords for data and for error correction in a block, and the number of blocks, by version. */
const VERSIONS = [[19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1], [68, 18, 2]];

/** @typedef {boolean[][]} Modules  Rows from the top; true is dark. */

/** The code of a text; null if it is longer than 134 bytes. @param {string} text @returns {Modules | null} */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([data = 0, , blocks = 0]) => bytes.length + 2 <= data * blocks) + 1;
  if (!version) return null;
  const words = codewords(bytes, VERSIONS[version - 1] ?? []), { modules, fixed } = frame(version);
  place(words, modules, fixed);
  const all = [...MASKS.keys()].map((mask) => masked(modules, fixed, mask));
  return all.reduce((best, each) => penalty(each) < penalty(best) ? each : best);
}

// --- codewords --------------------------------------------------------------------------------------------------------

/** @param {Uint8Array} bytes @param {number[]} sizes */
function codewords(bytes, [size = 0, correction = 0, count = 0]) {
  const bits = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: bits.length / 2 }, (_, at) => (bits[2 * at] ?? 0) << 4 | (bits[2 * at + 1] ?? 0));
  for (let pad = 0xec; data.length < size * count; pad ^= 0xec ^ 0x11) data.push(pad);
  const blocks = Array.from({ length: count }, (_, at) => data.slice(at * size, (at + 1) * size));
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => remainder(block, correction)))];
}

/** @param {number[][]} blocks @returns {number[]} */
const interleaved = (blocks) => (blocks[0] ?? []).flatMap((_, at) => blocks.map((block) => block[at] ?? 0));

/** Multiplies in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = product << 1 ^ (product >> 7) * 0x11d ^ (b >> bit & 1) * a;
  return product;
}

/** The codewords of Reed and Solomon. @param {number[]} data @param {number} count @returns {number[]} */
function remainder(data, count) {
  const divisor = [...Array(count - 1).fill(0), 1];
  for (let root = 1, step = 0; step < count; step++, root = times(root, 2)) {
    for (let at = 0; at < count; at++) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  const rest = Array(count).fill(0);
  for (const word of data) {
    const factor = word ^ rest.shift();
    rest.push(0);
    divisor.forEach((each, at) => rest[at] ^= times(each, factor));
  }
  return rest;
}

// --- modules ----------------------------------------------------------------------------------------------------------

/** What is the same in all codes of a version. @param {number} version */
function frame(version) {
  const size = 17 + 4 * version, modules = square(size), fixed = square(size);
  /** @param {number} x @param {number} y @param {boolean} dark */
  const set = (x, y, dark) => {
    const row = modules[y], known = fixed[y];
    if (!row || !known || x < 0 || x >= size) return;
    row[x] = dark;
    known[x] = true;
  };
  /** @param {number} x @param {number} y @param {number} reach */
  const rings = (x, y, reach) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, reach === 2 ? ring !== 1 : ring !== 2 && ring !== 4);
      }
    }
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(x ?? 0, y ?? 0, 4);
  if (version > 1) rings(size - 7, size - 7, 2);
  for (const [x, y] of formatPlaces(size).flat()) set(x ?? 0, y ?? 0, false);
  set(8, size - 8, true);
  return { modules, fixed };
}

/** @param {number} size @returns {Modules} */
const square = (size) => Array.from({ length: size }, () => Array(size).fill(false));

/** Where the 15 bits of the format stand, twice. @param {number} size @returns {number[][][]} */
function formatPlaces(size) {
  const near = [0, 1, 2, 3, 4, 5, 7, 8].map((y) => [8, y]).concat([7, 5, 4, 3, 2, 1, 0].map((x) => [x, 8]));
  const far = Array.from({ length: 15 }, (_, bit) => bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit]);
  return [near, far];
}

/** In columns of two, from the right, upwards and downwards. @param {number[]} words @param {Modules} modules @param {Modules} fixed */
function place(words, modules, fixed) {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const up = (right + 1 & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = modules[y];
        if (!row || fixed[y]?.[x]) continue;
        row[x] = ((words[bit >> 3] ?? 0) >> 7 - (bit & 7) & 1) === 1;
        bit++;
      }
    }
  }
}

/** @type {((x: number, y: number) => number)[]} */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2,
  (x, y) => ((x + y) % 2 + x * y % 3) % 2,
];

/** @param {Modules} modules @param {Modules} fixed @param {number} mask @returns {Modules} */
function masked(modules, fixed, mask) {
  const flips = MASKS[mask] ?? (() => 1), size = modules.length;
  const found = modules.map((row, y) => row.map((dark, x) => dark !== (!fixed[y]?.[x] && flips(x, y) === 0)));
  let rest = 8 | mask; // level L
  for (let step = 0; step < 10; step++) rest = rest << 1 ^ (rest >> 9) * 0x537;
  const format = ((8 | mask) << 10 | rest & 0x3ff) ^ 0x5412;
  for (const places of formatPlaces(size)) {
    places.forEach(([x = 0, y = 0], bit) => {
      const row = found[y];
      if (row) row[x] = (format >> bit & 1) === 1;
    });
  }
  return found;
}

/** Long runs, blocks, and much more of one colour are hard to read. @param {Modules} modules */
function penalty(modules) {
  const size = modules.length, columns = modules.map((_, x) => modules.map((row) => row[x] ?? false));
  const lines = [...modules, ...columns].map((line) => line.map((dark) => dark ? "1" : "0").join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  const finders = lines.flatMap((line) => line.match(/10111010000|00001011101/g) ?? []).length * 40;
  let blocks = 0, dark = 0;
  modules.forEach((row, y) =>
    row.forEach((module, x) => {
      const next = modules[y + 1];
      dark += module ? 1 : 0;
      if (next && x + 1 < size && row[x + 1] === module && next[x] === module && next[x + 1] === module) blocks += 3;
    })
  );
  return runs + finders + blocks + Math.floor(Math.abs(dark / size ** 2 - 0.5) * 20) * 10;
}
