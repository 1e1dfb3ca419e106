/** Webhooks: whether a request is from the service (https://www.standardwebhooks.com). */

import { InvalidSignature } from "./errors.js";

/** Seconds that the clocks of the service and of the receiver may differ, and that a delivery may take. */
const TOLERANCE = 300;

/** What happened. `id` is the same in every attempt to deliver it: remember it to handle an event once. */
export interface WebhookEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, any>;
}

/**
 * The event in a request, whose `body` must be the text as it arrived. Throws `InvalidSignature` if the request was not
 * signed with the secret (`whsec_...`) or is older than `tolerance` seconds.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | undefined>,
  body: string,
  { tolerance = TOLERANCE, now = Date.now() / 1000 } = {},
): Promise<WebhookEvent> {
  const given = headers instanceof Headers ? headers : new Headers(Object.entries(headers).filter(isGiven));
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) => given.get(`webhook-${name}`));
  if (!id || !time || !signatures) throw new InvalidSignature("A header is missing.");
  if (!/^\d{1,15}$/.test(time)) throw new InvalidSignature("The timestamp is not a number.");
  if (!(Math.abs(now - Number(time)) <= tolerance)) throw new InvalidSignature("The timestamp is too far from now.");
  const key = await hmacKey(secret);
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`);
  for (const each of signatures.split(" ")) {
    const [version, value] = each.split(",");
    const signature = version === "v1" && value ? decoded(value) : null;
    if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return eventIn(id, body);
  }
  throw new InvalidSignature("No signature is right.");
}

function eventIn(id: string, body: string): WebhookEvent {
  try {
    const event = JSON.parse(body);
    if (typeof event.type === "string" && typeof event.data === "object") return { id, ...event };
  } catch {
    // not JSON
  }
  throw new InvalidSignature("The body is no event.");
}

async function hmacKey(secret: string): Promise<CryptoKey> {
  const octets = decoded(secret.replace(/^whsec_/, ""));
  if (octets === null || octets.length === 0) throw new InvalidSignature("The secret is not base64.");
  return await crypto.subtle.importKey("raw", octets, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
