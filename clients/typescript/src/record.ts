/** Records of games, verified without trusting the service. */

import { type Check, parse, status, verify } from "./verifier.mjs";

/** The checks of a record: `incomplete` if nothing is wrong but some could not be made, as while the game runs. */
export interface Verification {
  verdict: "ok" | "wrong" | "incomplete";
  checks: Check[];
}

/** The portable record of a game: everything that is needed to replay and verify it. */
export class GameRecord {
  /** @param content The record as the service sent it. */
  constructor(readonly content: string) {}

  /** The decoded record. Throws SyntaxError if an object in it has a key twice. */
  get fields(): Record<string, any> {
    return parse(this.content) as Record<string, any>;
  }

  /**
   * Checks hashes, lifecycle and deals with the verifier that is a part of this package.
   * @param head The `head` of the game at some version, which you kept while it was played. Only a kept head shows that
   *   the record was not changed as a whole.
   */
  async verify(head: string | null = null): Promise<Verification> {
    const checks = await verify(parse(this.content), { head });
    const found = status(checks);
    return { verdict: found === 0 ? "ok" : found === 1 ? "wrong" : "incomplete", checks };
  }
}
