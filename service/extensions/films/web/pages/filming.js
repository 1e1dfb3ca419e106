/** The film of a record. */

import { Problem } from "../core/api.js";
import { someone } from "./forms.js";
import { api } from "./page.js";

/** @import { Say } from "../core/types.js" */

/**
 * Of the game, if the service knows it, else the one that the service makes of the record; null: the user gives no name.
 * @param {{ ruleset: string, id: string }} record @param {string} text  Of the record. @param {Say} say
 */
export async function filmOf({ ruleset, id }, text, say) {
  const known = await api.request(`games/${encodeURIComponent(ruleset)}/${encodeURIComponent(id)}/film`).catch(unknown);
  if (!known && !(await someone(say))) return null;
  return (known ?? await api.request("films", { method: "POST", body: text })).body;
}

/** The service does not know the game, or not its end. @param {unknown} error @returns {null} */
function unknown(error) {
  if (error instanceof Problem && [403, 404, 409].includes(error.status)) return null;
  throw error;
}
