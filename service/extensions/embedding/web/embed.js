/**
 * Tables of Stammtisch in pages of other sites:
 *
 *     <script type="module" src="https://games.example/embed.js"></script>
 *     <stammtisch-table game="RULESET/018f..." theme="dark" lang="de"></stammtisch-table>
 *
 * The table is a frame of the service's own origin. The token goes there by `postMessage`, never into a URL.
 */

const SERVICE = new URL("./", import.meta.url);

/** What was set before this script was here hides the setters. @param {any} own @param {string[]} names */
function uncover(own, ...names) {
  for (const name of names.filter((each) => Object.hasOwn(own, each))) {
    const value = own[name];
    delete own[name];
    own[name] = value;
  }
}

class StammtischTable extends HTMLElement {
  static observedAttributes = ["game", "theme", "lang"];

  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  #ready = false;
  /** @type {string | null} */
  #token = null;
  /** @type {Record<string, string>} */
  #colors = {};

  /** The token of the player; null: the page only watches, unless the user gives a name. @param {string | null} token */
  set token(token) {
    this.#token = token;
    this.#post({ type: "token", token });
  }

  /** Colors of the table by name, such as `{ felt: "#205060" }`. @param {Record<string, string>} colors */
  set colors(colors) {
    this.#colors = { ...colors };
    this.#post({ type: "colors", colors: this.#colors });
  }

  connectedCallback() {
    if (!this.style.display) this.style.display = "block";
    globalThis.addEventListener("message", this.#heard);
    uncover(this, "token", "colors");
    this.#show();
  }

  disconnectedCallback() {
    globalThis.removeEventListener("message", this.#heard);
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  #show() {
    const url = new URL("embed", SERVICE);
    for (
      const [name, value] of [["g", this.getAttribute("game")], ["theme", this.getAttribute("theme")], [
        "lang",
        this.getAttribute("lang"),
      ]]
    ) {
      if (name && value) url.searchParams.set(name, value);
    }
    url.hash = new URLSearchParams({ origin: location.origin }).toString();
    this.#ready = false;
    this.#frame?.remove();
    this.#frame = document.createElement("iframe");
    this.#frame.src = url.href;
    this.#frame.title = this.getAttribute("title") ?? "Stammtisch";
    this.#frame.allow = "fullscreen";
    Object.assign(this.#frame.style, { border: "0", width: "100%", height: "640px", display: "block" });
    this.append(this.#frame);
  }

  /** @param {Record<string, unknown>} message */
  #post(message) {
    if (this.#ready) this.#frame?.contentWindow?.postMessage({ stammtisch: 1, ...message }, SERVICE.origin);
  }

  /** @param {MessageEvent} event */
  #heard = ({ source, origin, data }) => {
    if (source !== this.#frame?.contentWindow || origin !== SERVICE.origin || data?.stammtisch !== 1) return;
    if (data.type === "ready") {
      this.#ready = true;
      this.#post({ type: "begin", token: this.#token, colors: this.#colors });
    } else if (data.type === "size" && this.#frame) {
      this.#frame.style.height = `${Math.min(Math.max(Number(data.height) || 0, 200), 4000)}px`;
    } else if (["turn", "over", "error"].includes(data.type)) {
      this.dispatchEvent(new CustomEvent(data.type, { detail: data.detail }));
    }
  };
}

if (!customElements.get("stammtisch-table")) customElements.define("stammtisch-table", StammtischTable);
