/** JSON as it comes from the service. */

/** An object whose fields nobody has checked. */
export type Json = Record<string, any>;

/** The object without fields that are not given. */
export function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
