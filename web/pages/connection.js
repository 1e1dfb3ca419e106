/** The connection of a tab: one web socket for all that it follows and does. */

import { Channel } from "../core/channel.js";
import { identity } from "../core/identity.js";
import { api, memory } from "./page.js";

/** @param {(condition: import("../core/channel.js").Condition) => void} [changed] */
export function channelOf(changed) {
  const url = new URL("v1/channel", api.base);
  url.protocol = url.protocol.replace("http", "ws");
  return new Channel({ url, token: () => identity(memory)?.token ?? null, changed });
}
