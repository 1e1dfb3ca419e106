// The parts of lit-html that web/core/html.js passes on, for `deno check`. The published types import the package
// `trusted-types` and resolve to minified files, which a strict checker refuses.
export interface TemplateResult {
  readonly _$litType$: number;
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
export type Nothing = symbol;
export declare const nothing: Nothing;
export declare const noChange: Nothing;
export declare class Directive {}
export declare function directive<T extends unknown[]>(
  made: new (part: unknown) => Directive & { render(...values: T): unknown },
): (...values: T) => unknown;
export declare function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;
export declare function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown,
): unknown;
