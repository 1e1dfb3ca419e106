/**
 * The hash chain of a game's log: every head follows from the one before it and the hashes of its entry. What a client
 * has seen cannot be changed behind it without a head that does not fit.
 */

/** @typedef {{ public: string, secret: string, head: string }} Link */

/** Hashing needs a secure context: HTTPS, or this machine. */
const subtle = () => /** @type {Crypto | undefined} */ (globalThis.crypto)?.subtle;

/** The head before the first entry. @param {string} id  Of the game. */
export const root = (id) => hash(new TextEncoder().encode(`stammtisch/1\n${id}`));

/**
 * Whether the heads of the items follow from the head before them. True where nothing can be hashed.
 * @param {string} head
 * @param {Link[]} items
 */
export async function links(head, items) {
  let last = head;
  for (const item of items) {
    if (subtle() && await hash(bytes(last + item.public + item.secret)) !== item.head) return false;
    last = item.head;
  }
  return true;
}

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<string>} */
async function hash(data) {
  const digest = await subtle()?.digest("SHA-256", data);
  return digest ? Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
}

/** @param {string} hex */
function bytes(hex) {
  return new Uint8Array((hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}
