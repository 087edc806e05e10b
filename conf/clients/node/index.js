// SPDX-License-Identifier: Apache-2.0
export { VerifyClient, List } from './client.js';
export { ApiError, ApiConnectionError, SignatureError, VerifyError } from './errors.js';
export { verifyWebhook } from './webhook.js';
