/** The part of the JavaScript verifier (clients/verifiers) that the pages use. */

export type Check = { name: string; ok: boolean | null; version: number | null; detail: string };
export function parse(text: string): any;
export function verify(record: any, kept?: { head: string | null }): Promise<Check[]>;
