/**
 * JSON Patch (RFC 6902): `add`, `remove` and `replace`, the operations that the service sends.
 *
 * What is not touched is shared with the document before, so all versions of a view can be kept.
 */

/** @typedef {{ op: string, path: string, value?: unknown }} Operation */

/** A patch that does not fit the document: something was missed. */
export class Mismatch extends Error {}

/**
 * The document after the operations.
 * @param {any} document
 * @param {Operation[]} operations
 * @returns {any}
 */
export function apply(document, operations) {
  return operations.reduce((before, operation) => at(before, keys(operation.path), operation), document);
}

/** @param {string} path */
function keys(path) {
  return path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {any} node
 * @param {string[]} path
 * @param {Operation} operation
 * @returns {any}
 */
function at(node, path, operation) {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (operation.op !== "replace" && operation.op !== "add") throw new Mismatch(`${operation.op} of everything`);
    return operation.value;
  }
  if (Array.isArray(node)) return inArray(node, key, rest, operation);
  if (node === null || typeof node !== "object") throw new Mismatch(`nothing at ${operation.path}`);
  const known = Object.hasOwn(node, key);
  if (rest.length) {
    if (!known) throw new Mismatch(`nothing at ${operation.path}`);
    return { ...node, [key]: at(node[key], rest, operation) };
  }
  if (operation.op === "add") return { ...node, [key]: operation.value };
  if (!known) throw new Mismatch(`nothing at ${operation.path}`);
  if (operation.op === "replace") return { ...node, [key]: operation.value };
  if (operation.op !== "remove") throw new Mismatch(`unknown operation ${operation.op}`);
  const { [key]: _, ...others } = node;
  return others;
}

/**
 * @param {any[]} list
 * @param {string} key
 * @param {string[]} rest
 * @param {Operation} operation
 * @returns {any[]}
 */
function inArray(list, key, rest, operation) {
  const adds = operation.op === "add" && !rest.length;
  const index = key === "-" && adds ? list.length : /^(0|[1-9][0-9]*)$/.test(key) ? Number(key) : -1;
  if (index < 0 || index > list.length || (index === list.length && !adds)) {
    throw new Mismatch(`nothing at ${operation.path}`);
  }
  if (rest.length) return list.with(index, at(list[index], rest, operation));
  switch (operation.op) {
    case "add":
      return list.toSpliced(index, 0, operation.value);
    case "replace":
      return list.with(index, operation.value);
    case "remove":
      return list.toSpliced(index, 1);
    default:
      throw new Mismatch(`unknown operation ${operation.op}`);
  }
}
