/** Faces and badges of descriptions, and what a film knows of tallies. */
import { Film } from "../../web/core/film.js";
import { sayer } from "../../web/core/words.js";
import scandaroon from "../../web/tables/scandaroon.js";
import scopinion from "../../web/tables/scopinion.js";

/** @param {unknown} found @param {unknown} expected */
function equal(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a}\n${b}`);
}

const say = sayer(
  JSON.parse(Deno.readTextFileSync(new URL("../../web/words/en.json", import.meta.url))),
  "en",
);
const CARD = { base: 2, symbols: [], effect: null, ability: null, end: false, play_anywhere: false };

Deno.test("a card without a deck is drawn as text, with any id", () => {
  equal(scopinion.face("<b>x</b>", null, say).text, "<b>x</b>");
  equal(scandaroon.face("nothing", { cards: [] }, say).text, "nothing");
});

Deno.test("a card that counts something else than it says has a badge", () => {
  const deck = { cards: [{ ...CARD, id: "A" }] };
  /** @param {number | null} value @param {object} [badges] */
  const shown = (value, badges = {}) =>
    scandaroon.badges?.({ thing: "rows/0/0", index: 0, state: "face", card: "A", badges }, value, deck);
  equal(shown(2), []);
  equal(shown(5), [{ text: "5" }]);
  equal(shown(null, { boost: 3 }), [{ text: "+3" }]);
  equal(shown(2, { protected_by: 0 }), [{ glyph: "stone", kind: "left" }]);
});

Deno.test("a tally holds until another one comes", () => {
  const film = new Film(), item = { at: "", by: null, event: { type: "x" }, more: 0, public: "", secret: "", head: "" };
  film.add([
    { ...item, version: 1, patch: [{ op: "add", path: "", value: {} }], tally: { points: [1], values: {} } },
    { ...item, version: 2, patch: [] },
    { ...item, version: 3, patch: [], tally: { points: [4], values: {} } },
  ]);
  equal([0, 1, 2, 3].map((version) => film.tally(version)?.points ?? null), [null, [1], [1], [4]]);
});
