// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ApiConnectionError } from './errors.js';
import { Operations } from './operations.js';
import { queryOf } from './path.js';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url)));
const LONGEST_BACKOFF = 30; // seconds
const LONGEST_RETRY_AFTER = 60; // the window of the rate limit

export class VerifyClient extends Operations {
  #url;
  #secretKey;
  #timeout;
  #maxRetries;
  #fetch;

  constructor({ url, secretKey, timeout = 30_000, maxRetries = 2, fetch = globalThis.fetch }) {
    super();
    if (!/^https?:\/\/[^/?#\s]+\/?$/.test(url ?? '')) {
      throw new TypeError('`url` must be the address of the service, such as https://verify.example.com');
    }
    if (!/^[\w-]+$/.test(secretKey ?? '')) {
      throw new TypeError('`secretKey` is missing, or contains characters that no key has');
    }
    this.#url = url.replace(/\/$/, '');
    this.#secretKey = secretKey;
    this.#timeout = timeout;
    this.#maxRetries = maxRetries;
    this.#fetch = fetch;
  }

  async request(method, path, { query, body } = {}, options = {}) {
    const url = this.#url + path + queryOf(query);
    const init = this.#init(method, body, options);
    const maxRetries = options.maxRetries ?? this.#maxRetries;
    for (let retries = 0; ; retries++) {
      try {
        return await this.#attempt(url, init, `${method} ${path}`, options);
      } catch (error) {
        const seconds = retries < maxRetries ? secondsUntilRetry(error, retries) : undefined;
        if (seconds === undefined) throw error;
        await sleep(seconds * 1000, undefined, { signal: options.signal });
      }
    }
  }

  list(path, query, options) {
    return new List((page) => this.request('GET', path, { query: page }, options), query);
  }

  // The same for each attempt, with the same idempotency key.
  #init(method, body, options) {
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${this.#secretKey}`,
      'User-Agent': `mod-verify-client/${version} node/${process.versions.node}`,
    };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (method === 'POST') {
      const key = options.idempotencyKey ?? randomUUID();
      if (!/^[ -~]{1,255}$/.test(key)) {
        throw new TypeError('`idempotencyKey` must be 1 to 255 printable characters');
      }
      headers['Idempotency-Key'] = key;
    }
    return { method, headers, body: JSON.stringify(body), redirect: 'manual' };
  }

  async #attempt(url, init, name, options) {
    const timeout = options.timeout ?? this.#timeout;
    const deadline = AbortSignal.timeout(timeout);
    const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
    let response, text;
    try {
      response = await this.#fetch(url, { ...init, signal });
      text = await response.text();
    } catch (error) {
      options.signal?.throwIfAborted();
      const why = deadline.aborted ? `no answer within ${timeout} ms`
        : error.cause?.code ?? error.cause?.message ?? error.message;
      throw new ApiConnectionError(`${name}: ${why}`, { cause: error });
    }
    const answer = parsed(text);
    if (response.ok && answer !== undefined) return answer;
    throw new ApiError(response.status, response.headers, answer);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Undefined if the request must not be repeated. Waits up to a quarter longer than
// required, so that clients do not return all at once.
function secondsUntilRetry(error, retries) {
  const isTemporary = error instanceof ApiConnectionError || (error instanceof ApiError
    && (error.status === 429 || error.status >= 500 || error.code === 'idempotency_in_progress'));
  const required = error.retryAfter ?? 0;
  if (!isTemporary || required > LONGEST_RETRY_AFTER) return undefined;
  const backoff = Math.min(LONGEST_BACKOFF, 0.5 * 2 ** retries);
  return Math.max(required, backoff) * (1 + Math.random() / 4);
}

/** The objects of a list, page after page. */
export class List {
  #load;
  #query;

  constructor(load, query = {}) {
    this.#load = load;
    this.#query = { limit: 100, ...query };
  }

  async* pages() {
    const isForward = this.#query.ending_before === undefined;
    for (let query = this.#query; ;) {
      const page = await this.#load(query);
      yield page;
      const last = page.data.at(isForward ? -1 : 0);
      if (!page.has_more || !last) return;
      query = { ...query, [isForward ? 'starting_after' : 'ending_before']: last.id };
    }
  }

  // Newest first; from `ending_before` on, oldest first.
  async* [Symbol.asyncIterator]() {
    for await (const page of this.pages()) {
      yield* this.#query.ending_before === undefined ? page.data : [...page.data].reverse();
    }
  }
}
