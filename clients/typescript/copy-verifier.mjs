// The verifier of records is a program of its own; the package contains a copy.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../verifiers/stammtisch-verify.mjs", import.meta.url), new URL("dist/verifier.mjs", import.meta.url));
copyFileSync(new URL("src/verifier.d.mts", import.meta.url), new URL("dist/verifier.d.mts", import.meta.url));
