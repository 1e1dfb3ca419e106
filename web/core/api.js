/**
 * Requests to the REST API. Every error is an exception with its problem document.
 */

/** @typedef {{ type: string, title?: string, detail?: string, status?: number, [field: string]: any }} ProblemDocument */

/** An answer that is a problem (RFC 9457). `status` 0: no answer came. */
export class Problem extends Error {
  /** @param {ProblemDocument} document @param {number} status @param {number | null} retryAfter  In seconds. */
  constructor(document, status, retryAfter = null) {
    super(document.detail ?? document.title ?? document.type);
    this.document = document;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The same request may be sent again. */
  get transient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body
 * @property {string | null} etag
 * @property {Headers} headers
 */

const PATIENCE = 15_000;
/** Clocks that differ by less agree: the times of answers are whole seconds. */
const AGREED = 1500;

/**
 * @typedef {object} Options
 * @property {string} [method]
 * @property {unknown} [body]
 * @property {Record<string, string | null>} [headers]  Those that are null are left out.
 * @property {Record<string, string | number | boolean | null | undefined>} [query]
 * @property {AbortSignal} [signal]
 */

export class Api {
  /**
   * @param {string | URL} base  The URL below which `v1/` is.
   * @param {() => string | null} token
   * @param {typeof fetch} [send]
   */
  constructor(base, token, send = (input, init) => fetch(input, init)) {
    this.base = base;
    this.token = token;
    /** What has to be added to the time here to get the service's, in milliseconds; 0 if they nearly agree. */
    this.skew = 0;
    this.send = send;
  }

  /**
   * Throws a `Problem` if the path does not name itself: an id in it must not lead elsewhere.
   * @param {string} path  Such as `games/RULESET`, or a link from an answer.
   * @param {Options["query"]} [query]
   */
  url(path, query = {}) {
    const below = `v1/${path.replace(/^\/?v1\//, "")}`, url = new URL(below, this.base);
    if (/[?#]/.test(below) || url.href !== `${new URL(".", this.base)}${below}`) {
      throw new Problem({ type: "not-found" }, 404);
    }
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  /**
   * @param {string} path
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  async request(path, { method = "GET", body, headers = {}, query, signal } = {}) {
    const response = await this.fetch(path, { method, body, headers, query, signal });
    const { status } = response;
    const text = status === 304 || status === 204 ? "" : await response.text().catch(lost);
    const content = text ? parsed(text) : null;
    if (status >= 400) throw problem(status, content, response.headers);
    if (content === null && status !== 304 && status !== 204) lost("the answer is cut off");
    return { status, body: content, etag: response.headers.get("ETag"), headers: response.headers };
  }

  /**
   * The items of an answer in NDJSON.
   * @param {string} path
   * @param {Options} [options]
   * @returns {Promise<any[]>}
   */
  async lines(path, { query, signal, headers: more = {} } = {}) {
    const headers = { Accept: "application/x-ndjson", ...more };
    const response = await this.fetch(path, { headers, query, signal });
    const text = await response.text().catch(lost);
    if (response.status >= 400) throw problem(response.status, parsed(text), response.headers);
    return text.split("\n").filter(Boolean).map((line) => parsed(line) ?? lost("the answer is cut off"));
  }

  /**
   * @param {string} path
   * @param {Options} options
   * @returns {Promise<Response>}
   */
  async fetch(path, { method = "GET", body, headers = {}, query, signal }) {
    const given = Object.entries({ ...this.authorization(), ...headers }).filter(([, value]) => value !== null);
    const sent = body === undefined ? given : [...given, ["Content-Type", "application/json"]];
    const limit = AbortSignal.timeout(PATIENCE);
    const response = await this.send(this.url(path, query), {
      method,
      headers: /** @type {[string, string][]} */ (sent),
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body), // a text is sent as it is
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      cache: "no-store",
      credentials: "omit",
    }).catch(lost);
    const skew = Date.parse(response.headers.get("Date") ?? "") + 500 - Date.now();
    this.skew = Math.abs(skew) > AGREED ? skew : 0;
    return response;
  }

  /** @returns {Record<string, string>} */
  authorization() {
    const token = this.token();
    return token ? { Authorization: `Bearer ${token}` } : {};
  }
}

/** @param {unknown} error @returns {never} */
function lost(error) {
  throw new Problem({ type: "no-answer", detail: String(error) }, 0);
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {number} status @param {any} body @param {Headers} headers */
function problem(status, body, headers) {
  const seconds = Number(headers.get("Retry-After"));
  const document = body && typeof body.type === "string" ? body : { type: "unknown", title: `${status}` };
  return new Problem(document, status, Number.isFinite(seconds) && seconds > 0 ? seconds : null);
}
