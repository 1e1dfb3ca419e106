/** A check of a record. `ok` is null if it could not be made; `version` is the first wrong event. */
export interface Check {
  name: string;
  ok: boolean | null;
  version: number | null;
  detail: string | null;
}

export function parse(text: string): unknown;
export function verify(record: unknown, options?: { head?: string | null }): Promise<Check[]>;
export function sameDeal(records: unknown[]): Check;
export function seal(gameId: string, seat: number, entropy: string): Promise<string>;
export function status(checks: Check[]): number;
