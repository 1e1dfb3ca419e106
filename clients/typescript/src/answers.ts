/** Problem documents as exceptions. */

import { Problem, type ProblemDocument } from "./errors.js";
import { PROBLEMS } from "./problems.js";

/** The exception for the body of an answer with that status. */
export function problem(body: unknown, status: number, retryAfter: number | null = null): Problem {
  const fields = typeof body === "object" && body !== null ? body : {};
  const document: ProblemDocument = { type: "unknown", title: `The service answered with ${status}.`, status, ...fields };
  const Kind = PROBLEMS[document.type] ?? Problem;
  return new Kind(document, retryAfter);
}
