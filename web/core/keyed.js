/** Lists whose elements move with what they show. Where nothing moves, an array of templates does less. */
// @ts-types="../../tests/web/types/lit-html.d.ts"
export { repeat } from "../vendor/lit-html/directives/repeat.js";
