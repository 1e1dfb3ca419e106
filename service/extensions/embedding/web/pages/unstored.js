/** The memory of a table in a page of another site: it ends with the page. The site chooses language and theme. */

import { Memory } from "../core/identity.js";

const asked = new URLSearchParams(location.search);

export const unstored = new Memory();
unstored.set("language", asked.get("lang"));
unstored.set("theme", ["light", "dark"].find((theme) => theme === asked.get("theme")) ?? null);

// pages/page.js, which is evaluated next, takes it.
Object.assign(globalThis, { unstored });
