/**
 * lit-html, for everything that renders. Nothing but this and `keyed.js` imports it.
 */

import { later } from "./later.js";

// @ts-types="../../tests/web/types/lit-html.d.ts"
export { html, noChange, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
// @ts-types="../../tests/web/types/lit-html.d.ts"
export { Directive, directive } from "../vendor/lit-html/directive.js";

/** @typedef {import("../../tests/web/types/lit-html.d.ts").TemplateResult} Template */

/** Loads a style that is not needed from the start. @param {string} name @returns {Promise<unknown>} */
export const styled = (name) =>
  later(() =>
    new Promise((onload, refuse) => {
      const link = document.createElement("link"), href = new URL(`../style/${name}.css`, import.meta.url).href;
      const onerror = () => {
        link.remove();
        refuse(new Error(href));
      };
      document.head.append(Object.assign(link, { rel: "stylesheet", href, onload, onerror }));
    })
  );
