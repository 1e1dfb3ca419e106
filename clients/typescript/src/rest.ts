/** Requests over HTTP, repeated while that may help. */

import { problem } from "./answers.js";
import { Backoff, type Contact } from "./backoff.js";
import { InvalidUrl, NoAnswer, Problem, UnknownHost } from "./errors.js";
import { given, type Json } from "./json.js";

const TIMEOUT = 20_000;
/** Milliseconds without data after which a stream is dead: the service sends a comment every 15 s. */
const STREAM_TIMEOUT = 45_000;

export interface RequestOptions {
  body?: unknown;
  query?: Json;
  headers?: Record<string, string | null | undefined>;
}

/** The REST API of a service. */
export class Rest {
  readonly url: string;
  token: string | null;
  readonly contact: Contact;
  readonly pauses: readonly number[];
  /** What the entropies of sealed games follow from. */
  readonly seed: string;
  /** By sealed game, the version and head that the client saw when it opened its entropy. */
  readonly heads = new Map<string, { version: number; head: string }>();
  readonly #fetch: typeof fetch;

  constructor(
    url: string,
    token: string | null,
    contact: Contact,
    pauses: readonly number[],
    send: typeof fetch,
    seed: string,
  ) {
    this.seed = seed;
    this.url = url;
    this.token = token;
    this.contact = contact;
    this.pauses = pauses;
    this.#fetch = send;
  }

  /** A backoff for one request. */
  backoff(): Backoff {
    return new Backoff(this.contact, this.pauses);
  }

  /** The decoded answer. */
  async get(path: string, query: Json = {}): Promise<any> {
    return JSON.parse(await this.read(path, { query }));
  }

  /** The answer as it came. */
  async read(path: string, options: RequestOptions = {}): Promise<string> {
    return (await this.send("GET", path, options)).text;
  }

  async post(path: string, body: unknown, key: string | null, query: Json = {}): Promise<any> {
    const { text } = await this.send("POST", path, { body, query, headers: { "Idempotency-Key": key } });
    return JSON.parse(text);
  }

  /** The answer, after as many attempts as `patience` allows. Throws `Problem`, `NoAnswer`. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<{ text: string; headers: Headers }> {
    const backoff = this.backoff();
    for (;;) {
      try {
        return await this.attempt(method, path, options);
      } catch (failure) {
        await pauseAfter(failure, backoff);
      }
    }
  }

  /** The answer of a single attempt. Throws `Problem`, `NoAnswer`. */
  async attempt(method: string, path: string, options: RequestOptions): Promise<{ text: string; headers: Headers }> {
    const signal = AbortSignal.timeout(TIMEOUT);
    try {
      const response = await this.#request(method, path, options, signal);
      const text = await response.text();
      if (!response.ok) throw refusal(response, text);
      this.contact.succeeded();
      return { text, headers: response.headers };
    } catch (error) {
      throw unanswered(error);
    }
  }

  /** The data of the events of a stream. Throws `Problem`, `NoAnswer`. */
  async *stream(path: string, query: Json, lastEvent: number): AsyncGenerator<any, void> {
    const controller = new AbortController();
    let timer = setTimeout(() => controller.abort(), STREAM_TIMEOUT);
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(lastEvent) };
      const response = await this.#request("GET", path, { query, headers }, controller.signal);
      if (!response.ok) throw refusal(response, await response.text());
      this.contact.succeeded();
      if (response.body === null || response.status === 204) return;
      const reader = response.body.pipeThrough(new TextDecoderStream() as any).getReader();
      for (let rest = "";;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => controller.abort(), STREAM_TIMEOUT);
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
      }
    } catch (error) {
      throw unanswered(error);
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  async #request(method: string, path: string, options: RequestOptions, signal: AbortSignal): Promise<Response> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(given(options.query ?? {}))) url.searchParams.set(name, String(value));
    const authorization = this.token === null ? undefined : `Bearer ${this.token}`;
    const type = options.body === undefined ? undefined : "application/json";
    return await this.#fetch(url, {
      method,
      headers: given({ Authorization: authorization, "Content-Type": type, ...options.headers }),
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal,
      cache: "no-store",
      credentials: "omit",
    });
  }
}

/** Waits before the next attempt, or throws the failure if a further attempt cannot help. */
export async function pauseAfter(failure: unknown, backoff: Backoff): Promise<void> {
  if (failure instanceof NoAnswer) await backoff.pause(failure);
  else if (failure instanceof Problem && failure.isTransient) await backoff.pause(failure, failure.retryAfter);
  else throw failure;
}

function refusal(response: Response, text: string): Problem {
  const seconds = Number(response.headers.get("Retry-After") ?? "");
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // it comes from a proxy
  }
  return problem(body, response.status, seconds > 0 ? seconds : null);
}

/** The URL of a service without a slash at its end. Throws `InvalidUrl` if no service can be there. */
export function checked(url: string | URL): string {
  let protocol = "";
  try {
    ({ protocol } = new URL(url));
  } catch {
    // it has none
  }
  if (protocol !== "http:" && protocol !== "https:") {
    throw new InvalidUrl(`${JSON.stringify(String(url))} is not a URL of the form http://HOST or https://HOST`);
  }
  return String(url).replace(/\/+$/, "");
}

function unanswered(error: unknown): unknown {
  if (error instanceof Problem || error instanceof SyntaxError) return error;
  // Browsers do not give the cause.
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const text = cause?.message ? `${error}: ${cause.message}` : String(error);
  return cause?.code === "ENOTFOUND" ? new UnknownHost(text) : new NoAnswer(text);
}
