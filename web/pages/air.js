/** Flights. Nobody needs them before something moves, or with reduced motion. */

export { pair } from "../core/flights.js";
export { fly, positions } from "../core/fly.js";
