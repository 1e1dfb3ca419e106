/** A check of the stand-alone verifier: `ok` is null where it could not be made. */
export interface Check {
  name: string;
  ok: boolean | null;
  version: number | null;
  detail: string;
}

export declare function parse(text: string): unknown;
export declare function sameDeal(records: object[]): Check;
export declare function description(bytes: Uint8Array): Promise<object>;
export declare function verify(
  record: unknown,
  options?: { head?: string | null; descriptions?: object[] },
): Promise<Check[]>;
