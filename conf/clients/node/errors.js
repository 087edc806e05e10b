// SPDX-License-Identifier: Apache-2.0

/** The class of all errors of this package. */
export class VerifyError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/** The service did not answer, or not in time. */
export class ApiConnectionError extends VerifyError {}

/** The service refused the request, or answered something that is not JSON. */
export class ApiError extends VerifyError {
  constructor(status, headers, body) {
    const error = body?.error ?? {};
    const requestId = error.request_id ?? headers.get('X-Request-Id') ?? undefined;
    const details = [error.code, error.param, requestId].filter(Boolean).join(', ');
    super((error.message ?? `The service answered ${status}.`) + (details && ` (${details})`));
    this.status = status;
    this.type = error.type;
    this.code = error.code;
    this.param = error.param;
    this.requestId = requestId;
    const seconds = headers.get('Retry-After') ?? '';
    this.retryAfter = /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
  }
}

/** The service did not sign this webhook, or not in the last minutes. */
export class SignatureError extends VerifyError {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}
