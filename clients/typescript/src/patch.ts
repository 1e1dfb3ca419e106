/** JSON Patch (RFC 6902), as the service sends it: `replace`, and `add` and `remove` for items of arrays. */

import type { AddOperation, RemoveOperation, ReplaceOperation } from "./schema.js";

type Operation = AddOperation | RemoveOperation | ReplaceOperation;

/** The view after the patch. Does not change `view`; what the patch does not touch stays the same object. */
export function patched(view: unknown, patch: readonly Operation[]): unknown {
  return patch.reduce((whole, operation) => {
    const value = operation.op === "remove" ? undefined : operation.value;
    return changed(whole, operation.path.split("/").slice(1), operation.op, value);
  }, view);
}

function changed(node: any, [key, ...rest]: string[], op: string, value: unknown): unknown {
  if (key === undefined) return value;
  const copy: any = Array.isArray(node) ? [...node] : { ...node };
  if (rest.length > 0) copy[key] = changed(node[key], rest, op, value);
  else if (op === "add") copy.splice(Number(key), 0, value);
  else if (op === "remove") copy.splice(Number(key), 1);
  else copy[key] = value;
  return copy;
}
