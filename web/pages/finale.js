/** The end of a game: who has won, where one stands, what each round brought, and whether to play once more. */

import { html, nothing, styled } from "../core/html.js";
import { namesOf, seatOf } from "../core/model.js";
import { minus } from "../core/talk.js";
import { isolated } from "../core/words.js";
import { portrait } from "../table/card.js";
import { scores } from "../table/log.js";
import { decline as giveUp, isDeclined, kept, LASTS, listed, played } from "./again.js";
import { entitle, more } from "./page.js";

await Promise.all([more(), styled("moments"), styled("finale")]);

/**
 * @import { State } from "../core/model.js"
 * @import { Chip, Game, Model } from "../core/types.js"
 */

/** Whether the end of the game is shown: not while it is replayed. @param {State} state */
export const isOver = ({ game, film, shown, replaying, curtain }) =>
  (Boolean(game.result) || game.status === "aborted") && !replaying && shown === film.last && curtain === null;

/** The model with the end of the game. @param {Model} model @param {State} state @param {unknown} after  Proof and review. */
export function finale(model, state, after) {
  const { game, say } = state;
  if (!game.result) return aborted(model, state);
  const { rows } = model.scores, low = model.table.score.best === "lowest", { winners } = game.result;
  const won = (/** @type {number} */ seat) => Number(winners.includes(seat));
  const places = rows.toSorted((a, b) => won(b.seat) - won(a.seat) || (low ? a.sum - b.sum : b.sum - a.sum));
  model.moment = "moment ended";
  model.over = above(model, state, places);
  model.aside = [beside(model, state, places), after];
  model.rail = { ...model.rail, ...rail(state), switches: [], cancel: false, confirm: null };
  if (invited(state)) entitle(`● ${say("finale.asked_title")} · Stammtisch`, true);
}

/** A game that was called off says why, and has no winner. @param {Model} model @param {State} state */
function aborted(model, { game, say }) {
  const cause = say(`finale.${game["cause"] ?? "left"}`);
  model.moment = "ended";
  model.over = html`
    <div class="finale" role="status">
      <h2>${say("ui.aborted")}</h2>
      <p>${cause}</p>
    </div>
  `;
  model.rail = { ...model.rail, hint: cause, chips: [{ label: say("ui.replay"), message: { do: "play" } }] };
}

/** Leaves on both sides of a portrait, from below upwards. */
const WREATH = Array.from({ length: 18 }, (_, at) => {
  const side = at % 2 ? 1 : -1, step = Math.floor(at / 2), turn = step * 0.3 + 0.25;
  const x = 60 + side * 46 * Math.sin(turn), y = 60 + 46 * Math.cos(turn);
  const lean = side * (-62 - step * 17) * Math.PI / 180, [u, v] = [Math.sin(lean), -Math.cos(lean)];
  const point = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${(x + u * along - v * across).toFixed(1)} ${(y + v * along + u * across).toFixed(1)}`;
  return `M${point(9, 0)}Q${point(0, 8.6)} ${point(-9, 0)}Q${point(0, -8.6)} ${point(9, 0)}`;
}).join("");

/** @param {Model} model @param {State} state @param {Model["scores"]["rows"]} places */
function above({ chairs }, state, places) {
  const { game, say } = state, { winners } = game.result ?? { winners: [] };
  const heads = winners.map((seat) => chairs.find((chair) => chair.seat === seat)).filter((chair) => chair);
  return html`
    <div class="finale" role="status">
      <div class="laurels">${heads.slice(0, 4).map((chair) =>
        html`
          <span
            class="laurel"><svg class="wreath" viewBox="0 0 120 120" aria-hidden="true"><path d=${WREATH}/></svg>${portrait(
              chair?.name ?? "",
              chair?.face,
            )}</span>
        `
      )}</div>
      <h2>${winners.length === 1 && winners[0] === seatOf(state) && !game.hotseat
        ? say("finale.you_win")
        : say("ui.over", {
          names: listed(winners.map((seat) => namesOf(state)[seat] ?? ""), say),
          count: winners.length,
        })}</h2>
      <p>${sentence(state, places)}</p>
    </div>
  `;
}

/** The points of the winner, and where one stands. @param {State} state @param {Model["scores"]["rows"]} places */
function sentence(state, places) {
  const { say, game } = state, [first] = places, you = game.hotseat ? null : seatOf(state);
  if (!first) return "";
  const rounds = first.cells.length, points = first.sum;
  const after = rounds
    ? say("finale.after", { points: minus(points), n: rounds })
    : say("finale.with", { n: minus(points) });
  const winners = game.result?.winners ?? [], own = places.find(({ seat }) => seat === you);
  const at = own ? rankOf(own, places, winners) : -1, behind = own ? Math.abs(own.sum - points) : 0;
  if (!own || (winners.length > 1 && winners.includes(own.seat))) return after;
  if (at === 0) {
    const ahead = Math.abs((places[1]?.sum ?? points) - points);
    return ahead ? `${after} ${say("finale.ahead", { n: ahead })}` : after;
  }
  const place = say(`finale.place_${at + 1}`);
  return `${after} ${behind ? say("finale.behind", { place, n: behind }) : say("finale.level", { place })}`;
}

/** The place from 0 on: those who are level share it. @param {Model["scores"]["rows"][number]} row @param {Model["scores"]["rows"]} places @param {number[]} winners */
function rankOf({ seat, sum }, places, winners) {
  const wins = winners.includes(seat);
  return places.findIndex((each) => each.sum === sum && winners.includes(each.seat) === wins);
}

/** @param {Model} model @param {State} state @param {Model["scores"]["rows"]} places */
function beside(model, { film, game, say }, places) {
  const { heads } = model.scores, most = Math.max(1, ...places.map(({ sum }) => sum));
  const [begun, ended] = [film.items.find(({ event }) => event.type === "begun"), film.item(film.last)];
  const minutes = Math.round((Date.parse(ended?.at ?? "") - Date.parse(begun?.at ?? "")) / 60_000);
  const lasted = minutes > 0 && minutes < 24 * 60 ? say("finale.minutes", { n: minutes }) : "";
  const n = places[0]?.cells.length, rounds = n ? say("finale.rounds", { n }) : say("finale.result");
  return html`<section class="panel finale-panel"><p class="soft">${[rounds, lasted].filter(Boolean).join(" · ")}</p>
    <ol class="places">${
    places.map((row) => {
      const { seat, name, sum, cells } = row, chair = model.chairs.find((each) => each.seat === seat);
      const half = model.tally?.points?.[seat] ?? 0, doubled = half && cells.at(-1) === 2 * half;
      return html`
        <li
          class=${chair?.winner ? "best" : ""}><small>${rankOf(row, places, game.result?.winners ?? []) +
            1}</small>${portrait(
              name,
              chair?.face,
            )}<b>${name}</b><span class="track" aria-hidden="true"><i .style=${`width:${
            Math.round(Math.max(0, sum) / most * 100)
          }%`}></i></span><span class="sum">${minus(sum)}</span>${doubled
            ? html`<em>${half} × 2: ${say(model.table.score.doubled ?? "ui.doubled")}</em>`
            : nothing}</li>
      `;
    })
  }</ol>${heads.length ? html`<div class="rounds">${scores(model)}</div>` : nothing}</section>`;
}

// --- once more --------------------------------------------------------------------------------------------------------

/** So often the page asks whether somebody wants to play once more. */
const POLL = 3000;

/** The game that repeats this one, as far as it is known. @type {{ path: string, again: any, asker: string, until: number } | null} */
let rematch = null;

/** Looks for a rematch now and then, while the end of the game is shown. @param {string} path  RULESET/ID @param {() => State | null} state @param {() => void} changed */
export function watch(path, state, changed) {
  if (rematch?.path === path) return;
  rematch = {
    path,
    again: null,
    asker: "",
    until: Date.now() + LASTS,
  };
  const known = rematch;
  played();
  const look = async () => {
    const now = state();
    if (Date.now() > known.until || !now || now.game.status !== "finished") return;
    if (isOver(now) && now.game.you !== null && !now.game.hotseat) {
      const found = await asked(now.game).catch(() => known.again);
      if (JSON.stringify(found) !== JSON.stringify(known.again)) {
        known.again = found;
        // The seats of a rematch are rotated: who was there first has asked.
        known.asker ||= found?.seats.find((/** @type {any} */ { player }) => player)?.player.id ?? "";
        changed();
      }
    }
    setTimeout(look, POLL);
  };
  look();
}

/** The rematch in which a seat is kept for the user; null: there is none. @param {Game} game */
const asked = async ({ id, ruleset }) => (await kept(ruleset)).find((again) => again["rematch_of"] === id) ?? null;

/** The user has said no, here or on another page. */
const refused = () => rematch !== null && isDeclined(rematch.path);

/** The user is asked whether they want to play once more. @param {State} state */
function invited({ game }) {
  const again = rematch?.again;
  return Boolean(again && again.status === "waiting" && !refused() && game.you !== null && again.you === null);
}

/** @param {State} state @returns {Pick<Model["rail"], "question" | "spoken" | "hint"> & { chips: Chip[] }} */
function rail(state) {
  const { game, say } = state,
    sat = game.you !== null && !game.hotseat && !game["imported"] && game.status === "finished";
  /** @type {Chip} */
  const replay = { label: say("ui.replay"), message: { do: "play" } };
  /** @type {Chip} */
  const share = { label: say("table.share"), message: { do: "share" } };
  /** @type {Chip} */
  const main = { label: say("ui.rematch"), message: { do: "again" }, main: true };
  const over = say("ui.over", {
    names: listed((game.result?.winners ?? []).map((seat) => namesOf(state)[seat] ?? ""), say),
    count: game.result?.winners.length,
  });
  if (!sat) return { question: over, spoken: over, hint: state.notice, chips: [share, replay] };
  if (invited(state)) {
    const { again, asker } = /** @type {NonNullable<typeof rematch>} */ (rematch);
    const sat = again.seats.flatMap((/** @type {any} */ { player }) => player ?? []);
    const first = sat.find((/** @type {any} */ { id }) => id === asker)?.name ?? "";
    const others = sat.flatMap((/** @type {any} */ { id, name }) => id === asker ? [] : name ?? "");
    const question = say("finale.asks", { name: first });
    const hint = others.length
      ? say("finale.are_in", { names: listed(others, say), n: others.length })
      : say("finale.same");
    return {
      question,
      spoken: [over, question, hint].join(" "),
      hint: state.notice || hint,
      chips: [
        replay,
        { label: say("finale.no"), message: { do: "decline" } },
        { label: say("ui.sit_down"), message: { do: "again" }, main: true },
      ],
    };
  }
  const house = game.seats.flatMap((/** @type {any} */ { seat, bot }) => bot ? namesOf(state)[seat] ?? "" : []);
  const hint = refused()
    ? say("finale.declined")
    : house.length
    ? say("finale.ready", { names: listed(house, say), n: house.length })
    : say("finale.same");
  const chips = refused() ? [share, replay] : [share, replay, main];
  return { question: say("finale.once_more"), spoken: spokenEnd(state, over), hint: state.notice || hint, chips };
}

/** The scores in order, for the ears. @param {State} state @param {string} over */
function spokenEnd(state, over) {
  const { game, say } = state, names = namesOf(state), all = game.result?.scores ?? [];
  return [`${over}.`, ...all.map((sum, seat) => `${isolated(names[seat] ?? "")}: ${sum}.`), say("finale.once_more")]
    .join(" ");
}

/** The user does not want to play once more. */
export async function decline() {
  if (rematch?.again) await giveUp(rematch.again);
}
