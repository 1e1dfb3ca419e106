/** A client of Stammtisch, a service that hosts card games. */

export { Client, type ClientOptions, type LobbyFilter, type Terms } from "./client.js";
export {
  InvalidPatch,
  InvalidSignature,
  InvalidUrl,
  NoAnswer,
  Problem,
  type ProblemDocument,
  StammtischError,
  UnknownHost,
  Unsealed,
} from "./errors.js";
export * as problems from "./problems.js";
export { GameRecord, type Verification } from "./record.js";
export type { Rulesets } from "./rulesets.js";
export type * as schema from "./schema.js";
export { type AnyRuleset, type Hint, type Made, type Of, type State, Table, type Turn, type Viewpoint } from "./table.js";
export type { Check } from "./verifier.mjs";
export { verifyWebhook, type WebhookEvent } from "./webhooks.js";
