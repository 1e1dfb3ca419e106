/** JSON Patch (RFC 6902), as the service sends it: `replace`, and `add` and `remove` for items of arrays. */

import { InvalidPatch } from "./errors.js";
import type { AddOperation, RemoveOperation, ReplaceOperation } from "./schema.js";

type Operation = AddOperation | RemoveOperation | ReplaceOperation;

/**
 * The view after the patch. Does not change `view`; what the patch does not touch stays the same object. Throws
 * InvalidPatch.
 */
export function patched(view: unknown, patch: readonly Operation[]): unknown {
  return patch.reduce((whole: unknown, operation: any) => {
    const { op, path, value } = operation ?? {};
    const known = op === "remove" || ((op === "add" || op === "replace") && Object.hasOwn(operation, "value"));
    if (!known || typeof path !== "string" || !/^(\/|$)/.test(path)) {
      throw new InvalidPatch(`Not an operation of a patch: ${JSON.stringify(operation)?.slice(0, 200)}`);
    }
    return changed(whole, path.split("/").slice(1), op, value);
  }, view);
}

function changed(node: any, [key, ...rest]: string[], op: string, value: unknown): unknown {
  if (key === undefined) {
    if (op !== "replace") throw new InvalidPatch(`A patch has \`${op}\` of the whole view.`);
    return value;
  }
  const adds = op === "add" && rest.length === 0;
  const fits = Array.isArray(node)
    ? /^(0|[1-9][0-9]{0,8})$/.test(key) && Number(key) < node.length + Number(adds)
    : node !== null && typeof node === "object" && Object.hasOwn(node, key) && (rest.length > 0 || op === "replace");
  if (!fits) throw new InvalidPatch(`A patch has \`${op}\` where nothing fits: ${key.slice(0, 200)}`);
  const copy: any = Array.isArray(node) ? [...node] : { ...node };
  if (rest.length > 0) copy[key] = changed(node[key], rest, op, value);
  else if (op === "add") copy.splice(Number(key), 0, value);
  else if (op === "remove") copy.splice(Number(key), 1);
  else copy[key] = value;
  return copy;
}
