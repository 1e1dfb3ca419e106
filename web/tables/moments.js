/** Events that are good or bad for a seat, from what everybody sees: players of the house say something then. Loaded when it is needed first. */

/** @typedef {import("../core/types.js").Momentous} Momentous */

/** By ruleset. @type {Record<string, Momentous>} */
export const MOMENTS = {
  skyjo: ({ type, seat, points = [] }, { finisher }) => {
    if (type === "column_cleared" && seat !== undefined) return { seat, mood: "good" };
    const missed = type === "round_scored" && finisher !== null && points[finisher] !== Math.min(...points);
    return missed ? { seat: finisher, mood: "bad" } : null;
  },
  skyjo_action: ({ type, seat, points = [] }, { finisher }) => {
    if ((type === "line_cleared" || type === "stolen") && seat !== undefined) return { seat, mood: "good" };
    const missed = type === "round_scored" && finisher !== null && points[finisher] !== Math.min(...points);
    return missed ? { seat: finisher, mood: "bad" } : null;
  },
  scout: ({ type, seat, count, points = [] }) => {
    if (type === "shown" && count >= 4 && seat !== undefined) return { seat, mood: "good" };
    const least = points.indexOf(Math.min(...points));
    return type === "round_scored" && least >= 0 ? { seat: least, mood: "bad" } : null;
  },
  scopinion: ({ type, seat }) => type === "secured" && seat !== undefined ? { seat, mood: "good" } : null,
  scandaroon: ({ type, seat, scores = [] }) => {
    if (type === "stolen" && seat !== undefined) return { seat, mood: "good" };
    const best = scores.indexOf(Math.max(...scores));
    return type === "round_scored" && best >= 0 ? { seat: best, mood: "good" } : null;
  },
};
