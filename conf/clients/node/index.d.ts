// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode, ErrorType, Event } from './operations.js';
import { Operations } from './operations.js';

export type * from './operations.js';

export interface ClientOptions {
  /** The address of the service: https://verify.example.com */
  url: string;
  /** The secret key, svc_sk_…, which belongs only on servers. */
  secretKey: string;
  /** Milliseconds for one attempt; 30,000 by default. */
  timeout?: number;
  /** How often a request is repeated; 2 by default. */
  maxRetries?: number;
  /** Instead of the global fetch. */
  fetch?: typeof globalThis.fetch;
}
export interface RequestOptions {
  timeout?: number;
  maxRetries?: number;
  /** Ends the request, and the wait for the next attempt. */
  signal?: AbortSignal;
}
export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 255 printable characters. The same key and parameters within 24 hours get the
   * same answer. By default, each call has a key of its own, which its retries repeat.
   */
  idempotencyKey?: string;
}

/**
 * Calls the service. Network errors, 429 and 5xx are retried, with the same idempotency
 * key, after the time in Retry-After or with exponential backoff.
 */
export class VerifyClient extends Operations {
  constructor(options: ClientOptions);
  /** Calls an operation that this version of the client does not have. */
  request<T = unknown>(method: string, path: string,
    parameters?: { query?: object; body?: object }, options?: WriteOptions): Promise<T>;
  list<T extends { id: string }>(path: string, query?: object, options?: RequestOptions): List<T>;
}

export interface Page<T> {
  object: 'list';
  url: string;
  has_more: boolean;
  data: Array<T>;
}

/**
 * The objects of a list, newest first. With ending_before they come oldest first, as to
 * read the events since the last one that you have. A page has 100 objects unless `limit`
 * says otherwise.
 */
export class List<T> implements AsyncIterable<T> {
  pages(): AsyncGenerator<Page<T>, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
}

/** The class of all errors of this package. */
export class VerifyError extends Error {}
/** The service did not answer, or not in time. */
export class ApiConnectionError extends VerifyError {}
/** The service refused the request. Branch on `code`. */
export class ApiError extends VerifyError {
  readonly status: number;
  readonly type?: ErrorType;
  readonly code?: ErrorCode;
  readonly param?: string;
  /** For questions to the operator. */
  readonly requestId?: string;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number;
}
/** The service did not sign this webhook, or not in the last minutes: respond with 400. */
export class SignatureError extends VerifyError {
  readonly reason: 'missing' | 'malformed' | 'too_old' | 'mismatch';
}

/**
 * Returns the event if the service signed `body` in the last `tolerance` seconds (300 by
 * default), or throws a SignatureError. `secrets` may have several while you rotate them.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secrets: string | readonly string[],
  options?: { tolerance?: number; now?: number },
): Event;
