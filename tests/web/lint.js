/** Rules for the linter about what the pages are served with, and about what they load on use. */

/** Functions of core/later.js: who is waiting for what they load learns when it fails. */
const LOADS = ["later", "once", "optional"];
/** The modules that may fetch: the API, the one place for files, and what runs without modules. */
const FETCHES = /\/web\/(core\/(api|later)|sw|pages\/check)\.js$/;
const INDEX = /\/web\/tables\/index\.js$/;

export default {
  name: "stammtisch",
  rules: {
    // The service serves modules without comments (`uncommented` in service/pages/web.py).
    "no-comment-in-template": {
      create: (/** @type {any} */ context) => ({
        TemplateElement(/** @type {any} */ node) {
          if (/^[ \t]*\/[/*]|[;{},()\]] +\/\//m.test(node.raw)) {
            context.report({ node, message: "A line of a template looks like one with a comment" });
          }
        },
      }),
    },
    "no-silent-load": {
      create: (/** @type {any} */ context) => {
        const file = context.filename.replaceAll("\\", "/");
        if (!/\/web\//.test(file) || /\/tests\//.test(file)) return {};
        return {
          ImportExpression(/** @type {any} */ node) {
            const arrow = node.parent, around = arrow?.parent;
            const isHeld = arrow?.type === "ArrowFunctionExpression" && around?.type === "CallExpression" &&
              LOADS.includes(around.callee.name);
            if (!isHeld && !INDEX.test(file)) {
              context.report({ node, message: `Import on use with ${LOADS.join(", ")} of core/later.js` });
            }
          },
          CallExpression(/** @type {any} */ node) {
            if (node.callee.name === "fetch" && !FETCHES.test(file)) {
              context.report({ node, message: "Load files with `file` and `later` of core/later.js" });
            }
          },
        };
      },
    },
  },
};
