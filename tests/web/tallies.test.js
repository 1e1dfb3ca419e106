/** What the latest games of a player say. */

import { beside, byGame, placeOf, played, rivals } from "../../web/core/tallies.js";
import { equal } from "./asserts.js";

/** A finished game of the me and these, won by some seats. @param {string} ruleset @param {string[]} ids @param {number[]} winners @param {any} [more] @returns {any} */
const game = (ruleset, ids, winners, more = {}) => ({
  id: "g",
  ruleset,
  status: "finished",
  seats: ids.map((id, seat) => id.includes("/") ? { seat, player: null, bot: id } : { seat, player: { id, name: id } }),
  result: { scores: ids.map((_, seat) => winners.includes(seat) ? 9 : 4 - seat), winners },
  created_at: "",
  finished_at: "",
  ...more,
});

const GAMES = [
  game("a", ["me", "mia"], [0]),
  game("a", ["mia", "me", "easy/1"], [1]),
  game("b", ["me", "mia", "tom"], [2]),
  game("a", ["me", "mia"], [1]),
  game("a", ["me", "mia"], [0, 1]),
  game("a", ["me", "mia"], [0], { parent: "x" }),
  game("a", ["me", "me"], [0], { hotseat: true }),
  { ...game("a", ["me", "mia"], []), status: "aborted", result: null },
];

Deno.test("my page: wins and streaks by game; lessons, branches and games of one device do not count", () => {
  equal(played(GAMES).length, 5);
  equal(byGame(GAMES, "me").map(({ name, games, wins, streak }) => [name, games, wins, streak]), [["a", 4, 3, 2], [
    "b",
    1,
    0,
    0,
  ]]);
});

Deno.test("my page: how it stands with people counts what only one of the two has won", () => {
  equal(rivals(GAMES, "me").map(({ id, won, lost, last }) => [id, won, lost, last.ruleset]), [["mia", 2, 1, "a"], [
    "tom",
    0,
    1,
    "b",
  ]]);
});

Deno.test("my page: places, where the fewest or the most points win", () => {
  const of = (/** @type {number[]} */ scores, /** @type {number[]} */ winners, /** @type {number} */ seat) =>
    placeOf({ ...GAMES[0], result: { scores, winners } }, seat);
  equal([of([5, 9, 7], [1], 2), of([5, 9, 7], [1], 0), of([5, 9, 7], [0], 2), of([5, 9, 7], [0], 1)], [2, 3, 2, 3]);
  equal([of([5, 5, 7], [0, 1], 1), of([5, 5, 7], [0, 1], 2)], [1, 3]);
});

Deno.test("my page: the same people again, and the bot that went on for one who left is that person", () => {
  const left = game("a", ["me", "mia", "easy/1"], [0]);
  left.seats[1] = { ...left.seats[1], bot: "careful/1", gone: true };
  equal(beside(left, "me"), [{ player: "mia" }, "easy/1"]);
});
