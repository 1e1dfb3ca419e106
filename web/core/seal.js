/** Seals of entropies: SHA-256 also where the browser has no `crypto.subtle`, as at a table in the home network. */

/** @param {number} count @returns {number[]} */
function primes(count) {
  const found = /** @type {number[]} */ ([]);
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The first 32 bits of the fraction of a number. @param {number} number */
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;
const FIRST = primes(8).map((prime) => fraction(prime ** (1 / 2)));
const ROUNDS = primes(64).map((prime) => fraction(prime ** (1 / 3)));

/** The SHA-256 of a short text, in hex (FIPS 180-4). @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text), blocks = Math.ceil((bytes.length + 9) / 64);
  const words = new DataView(new ArrayBuffer(blocks * 64)), hash = [...FIRST];
  bytes.forEach((byte, index) => words.setUint8(index, byte));
  words.setUint8(bytes.length, 0x80);
  words.setUint32(blocks * 64 - 4, bytes.length * 8);
  for (let block = 0; block < blocks; block++) compress(hash, words, block * 64);
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {number[]} hash @param {DataView} words @param {number} at */
function compress(hash, words, at) {
  const w = Array.from({ length: 16 }, (_, index) => words.getInt32(at + 4 * index));
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (const [round, constant] of ROUNDS.entries()) {
    if (round > 15) {
      const [x = 0, y = 0] = [w[round - 15], w[round - 2]];
      const small = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3), large = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w.push(((w[round - 16] ?? 0) + small + (w[round - 7] ?? 0) + large) | 0);
    }
    const sum = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + h + constant + (w[round] ?? 0);
    const other = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(sum + other) | 0, a, b, c, (d + sum) | 0, e, f, g];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index] = ((hash[index] ?? 0) + word) | 0;
}

/** What fixes the entropy of a seat in a sealed game. @param {string} game  Its id. @param {number} seat @param {string} entropy */
export const seal = (game, seat, entropy) => sha256(`stammtisch/1 seal\n${game}\n${seat}\n${entropy}`);

/**
 * Whether the log has a seal of each player, among them this one of the seat.
 * @param {any[]} events  From the first one on. @param {number} seat @param {string} sealed
 */
export function allSealed(events, seat, sealed) {
  const [{ places = [], seats = 0 } = {}] = events, seals = new Map();
  for (const event of events) if (/^(joined|left)$/.test(event.type)) seals.set(event.seat, event.seal);
  return seals.get(seat) === sealed &&
    Array.from({ length: seats }).every((_, each) => places[each]?.bot || seals.get(each));
}
