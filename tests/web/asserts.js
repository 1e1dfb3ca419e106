/** What the unit tests share. */

/** @param {unknown} found @param {unknown} expected */
export function equal(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`found ${a}, expected ${b}`);
}

/** @param {() => unknown} act */
export function fails(act) {
  try {
    act();
  } catch {
    return;
  }
  throw new Error("nothing was thrown");
}

/** @param {number} version @param {string} at @param {any} patch @returns {any} */
export const item = (version, at, patch = []) => ({ version, at, by: 0, event: { type: "e" }, patch, head: "" });
