/** A guided first game: what is explained above the table, and the list of steps beside it. Loaded with such a game. */

import { html, nothing, styled } from "../core/html.js";
import { later } from "../core/later.js";
import { isMove, LEARNER, pointed, stand, told } from "../core/lesson.js";
import { portrait, sign } from "../table/card.js";
import { unfold } from "../table/log.js";
import { announce, api, byId, more, ruleset, tongue } from "./page.js";

await Promise.all([more(), styled("lesson")]);

/**
 * @import { Lesson, Step } from "../core/lesson.js"
 * @import { State } from "../core/model.js"
 * @import { Message, Model, Thing } from "../core/types.js"
 */

/** A text in the user's language. @param {Record<string, string> | undefined} text */
const inTongue = (text) => text?.[tongue] ?? text?.["en"] ?? "";

export class Guide {
  /** @param {string} name  The ruleset. @param {Lesson} lesson */
  constructor(name, lesson) {
    this.name = name;
    this.lesson = lesson;
    this.seat = LEARNER;
    /** How many steps have been read, as far as the log does not say it. */
    this.read = 0;
    /** The things that the step is about. @type {Set<Thing>} */
    this.points = new Set();
    addEventListener("resize", () => requestAnimationFrame(() => this.light()));
  }

  /** The names of the others, as the game has one player. @param {string} own */
  names(own) {
    return [own, ...this.lesson.seats.slice(1)];
  }

  /** @param {State} state */
  stand({ film, shown }) {
    return stand(this.lesson, film, shown, this.read);
  }

  /** The move of another seat that is due now. @param {State} state */
  due(state) {
    const { film, shown, game, pending, awaited } = state, settled = !pending && game.version >= awaited;
    return settled && shown === film.last && film.last === game.version ? this.stand(state).due : null;
  }

  /** What a person does, as far as the step lets them. @param {State} state @param {Message} message */
  told(state, message) {
    const { index, due } = this.stand(state), step = this.lesson.steps[index];
    const found = step ? told(state, message, step) : null;
    if (!step || !found || message.do === "hover") return found;
    if (due) return { state };
    if (!found.wrong) return found;
    const notice = state.say("lesson.not_yet", { task: inTongue(step.task) });
    announce(notice, "assertive");
    return { state: { ...state, notice } };
  }

  /** A step without a move has been read. Returns whether it was the last one. @param {State} state */
  goOn(state) {
    this.read = this.stand(state).index + 1;
    return this.read >= this.lesson.steps.length;
  }

  /** The model with what the step says. @param {Model} model @param {State} state */
  guided(model, state) {
    const { index, due } = this.stand(state), { steps, seats } = this.lesson, step = steps[index];
    if (!step || state.game.status !== "running" || state.replaying) return this.points.clear();
    const titled = steps.filter(({ title }) => title);
    const chapters = steps.slice(0, index + 1).filter(({ title }) => title), chapter = chapters.at(-1);
    const { say, rail } = model, last = index === steps.length - 1, number = chapters.length;
    this.points = due ? new Set() : pointed(step, state);
    model.aside = this.list(model, titled, number - 1, state);
    if (due) return;
    const { move } = step, whole = state.game.legal_moves.find((each) => isMove(each, move));
    const [title, text, task] = [inTongue(chapter?.title), inTongue(step.say), inTongue(step.task)];
    const chosen = rail.chips.filter((chip) => isMove(chip.move, move) || this.points.has(chip.thing ?? ""))
      .map((chip) => ({ ...chip, main: true }));
    const [first = "", second] = seats.slice(1);
    const name = second ? say("ui.and", { first, last: second }) : first;
    const on = last ? say("lesson.play_on", { name }) : say("lesson.go_on");
    /** @type {import("../core/types.js").Chip[]} */
    const shown = whole ? [{ label: say("lesson.show"), message: { do: "move", move: whole } }] : [];
    model.rail = {
      ...rail,
      question: task,
      spoken: [step.title ? title : "", text, task].filter(Boolean).join(". "),
      hint: state.notice || say("lesson.step", { n: number, count: titled.length }),
      confirm: null,
      chips: rail.busy
        ? []
        : move
        ? chosen.length ? chosen : shown
        : [{ label: on, message: { do: "go on" }, main: true }],
    };
    model.over = html`
      <aside class="teacher">${portrait(seats[1] ?? "", true)}<div><h2>${title}</h2>
        <p>${text}</p><p class="dots">${titled.map((_, at) =>
          html`<i class=${at < number - 1 ? "done" : at === number - 1 ? "now" : ""}></i>`
        )}</p></div></aside>
    `;
  }

  /** What the bar has. @param {State} state @param {import("./drawing.js").Hands["act"]} act */
  tools({ say }, act) {
    return html`
      <button type="button" class="tool wide" @click=${() => act("rules")}>${say("ui.rules")} <kbd>R</kbd></button>
      <button type="button" class="tool narrow" aria-controls="side" aria-label=${say("lesson.steps")}
        @click=${unfold}>${sign("list")}</button><button type="button" class="tool" aria-label=${say("lesson.leave")}
        @click=${() => act("leave lesson")}><span class="long">${say("lesson.leave")}</span><span class="short">${say(
          "lesson.leave_short",
        )}</span></button>
    `;
  }

  /** The steps beside the table. @param {Model} model @param {Step[]} titled @param {number} at @param {State} state */
  list({ say }, titled, at, { labels }) {
    return html`
      <section class="panel lesson">
        <p class="soft">${say("lesson.learn")}</p>
        <h2>${labels.title}</h2>
        <ol>${titled.map(({ title }, index) =>
          html`<li class=${index < at ? "done" : index === at ? "now" : ""} aria-current=${
            index === at ? "step" : nothing
          }>${inTongue(title)}</li>`
        )}</ol>
      </section>
    `;
  }

  /** What the step is about is lit, and the bubble lies where it hides none of it. */
  light() {
    const root = byId("main");
    for (const each of root.querySelectorAll(".pointed")) each.classList.remove("pointed");
    const found = [...root.querySelectorAll(".board [data-thing]")].filter((each) =>
      this.points.has(each.getAttribute("data-thing") ?? "")
    );
    for (const each of found) each.classList.add("pointed");
    root.querySelector(".board")?.classList.toggle("guided", found.length > 0);
    const bubble = /** @type {HTMLElement | null} */ (root.querySelector(".teacher"));
    if (bubble) put(bubble, root, found);
  }
}

/** Pixels between the bubble and the edge. */
const EDGE = 10;

/** @param {HTMLElement} bubble @param {HTMLElement} root @param {Element[]} found */
function put(bubble, root, found) {
  const frame = root.querySelector(".board")?.getBoundingClientRect(), table = bubble.parentElement;
  if (!frame || !table) return;
  const outer = table.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = bubble;
  const boxes = (/** @type {Iterable<Element>} */ all) => Array.from(all, (each) => each.getBoundingClientRect());
  const lit = boxes(found), centre = boxes(root.querySelectorAll(".centre .card"));
  const own = boxes(root.querySelectorAll(".mine [data-thing], .extra [data-thing]"));
  const plates = boxes(root.querySelectorAll(".board .plate"));
  const xs = [EDGE, (frame.width - width) / 2, frame.width - width - EDGE];
  const ys = Array.from({ length: 33 }, (_, at) => EDGE + (frame.height - height - 2 * EDGE) * at / 32);
  /** @param {number} x @param {number} y @param {DOMRect[]} all */
  const hides = (x, y, all) =>
    all.reduce((sum, { left, right, top, bottom }) => {
      const [a, b] = [left - frame.left, top - frame.top];
      const across = Math.min(x + width + 6, a + right - left) - Math.max(x - 6, a);
      const down = Math.min(y + height + 6, b + bottom - top) - Math.max(y - 6, b);
      return sum + (across > 0 && down > 0 ? across * down : 0);
    }, 0);
  const places = ys.flatMap((y) => xs.map((x) => ({ x, y })));
  const cost = (/** @type {{ x: number, y: number }} */ { x, y }) =>
    1000 * hides(x, y, lit) + 100 * hides(x, y, own) + 10 * hides(x, y, centre) + 3 * hides(x, y, plates);
  const best = places.reduce((a, b) => cost(b) < cost(a) ? b : a);
  const x = frame.left - outer.left - table.clientLeft + best.x, y = frame.top - outer.top - table.clientTop + best.y;
  bubble.style.setProperty("translate", `${x}px ${y}px`);
}

/** The guide of a game of a lesson; null: it is another game. @param {any} game @returns {Promise<Guide | null>} */
export async function guideOf(game) {
  const { body } = await api.request(`rulesets/${game.ruleset}/lesson`);
  return body.id === game.parent.id ? new Guide(game.ruleset, body) : null;
}

/** The lesson is over: a game against house players that err. @param {string} name @param {string} path @param {import("../core/types.js").Say} say @param {string[]} names  Of the seats. @returns {Promise<string>} What is wrong. */
export async function playOn(name, path, say, names) {
  const [{ against }, rules, { body: game }] = await Promise.all([
    later(() => import("./opening.js")),
    ruleset(name),
    api.request(`games/${path}`),
  ]);
  const bot = rules.bots.find((/** @type {string} */ each) => each.startsWith("easy/")) ?? rules.bots[0];
  const others = game.seats.slice(1).map(() => bot);
  return await against(rules, others, say, { private: true }, () => leave(path), names);
}

/** The game of the lesson ends, so that it does not wait among the user's tables. @param {string} path */
export const leave = (path) =>
  api.request(`games/${path}/votes`, { method: "POST", body: { on: "abort", yes: true } }).catch(() => {});
