/**
 * A rule for the linter: no line of a template begins like a comment, because the service serves modules without the
 * comments that have lines of their own (`uncommented` in service/pages/web.py).
 */

export default {
  name: "stammtisch",
  rules: {
    "no-comment-in-template": {
      create: (/** @type {any} */ context) => ({
        TemplateElement(/** @type {any} */ node) {
          if (/^[ \t]*\/[/*]/m.test(node.raw)) {
            context.report({ node, message: "A line of a template begins like a comment" });
          }
        },
      }),
    },
  },
};
