/**
 * lit-html, for everything that renders. Nothing else imports it.
 */

// @ts-types="../../tests/web/types/lit-html.d.ts"
export { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
// @ts-types="../../tests/web/types/lit-html.d.ts"
export { live } from "../vendor/lit-html/directives/live.js";
// @ts-types="../../tests/web/types/lit-html.d.ts"
export { repeat } from "../vendor/lit-html/directives/repeat.js";

/** @typedef {import("../../tests/web/types/lit-html.d.ts").TemplateResult} Template */
