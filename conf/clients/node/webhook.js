// SPDX-License-Identifier: Apache-2.0
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.js';

const LONGEST_HEADER = 1000;

/** The event in the body of a webhook, if the service signed it in the last minutes. */
export function verifyWebhook(body, headers, secrets, { tolerance = 300, now } = {}) {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Pass the body as it arrived (Buffer or string), before it is parsed.');
  }
  const signed = signatureOf(headers);
  const seconds = now ?? Date.now() / 1000;
  if (!(Math.abs(seconds - Number(signed.timestamp)) <= tolerance)) {
    throw new SignatureError('too_old', 'The time of the signature is too far from now.');
  }
  let isRight = false;
  for (const secret of [secrets].flat()) {
    const expected = createHmac('sha256', signed.keyOf(checked(secret)))
      .update(signed.prefix).update(body).digest();
    for (const signature of signed.signatures) {
      isRight = timingSafeEqual(expected, signature) || isRight;
    }
  }
  if (!isRight) throw new SignatureError('mismatch', 'No signature fits the body and the secret.');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

// The headers by Standard Webhooks, which during a rotation have a signature for each
// secret, or Service-Signature.
function signatureOf(headers) {
  const standard = headerOf(headers, 'webhook-signature');
  const own = headerOf(headers, 'service-signature');
  if (standard === undefined && own === undefined) {
    throw new SignatureError('missing', 'The webhook has no signature.');
  }
  const signed = standard !== undefined ? parseStandard(headers, standard) : parseOwn(own);
  if (!signed) throw new SignatureError('malformed', 'The signature of the webhook is malformed.');
  return signed;
}

function parseStandard(headers, header) {
  const id = headerOf(headers, 'webhook-id') ?? '';
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? '';
  const signatures = header.length > LONGEST_HEADER ? [] : header.split(' ')
    .filter((part) => /^v1,[0-9A-Za-z+/]{43}=$/.test(part))
    .map((part) => Buffer.from(part.slice(3), 'base64'));
  return /^\w{1,64}$/.test(id) && /^[0-9]{1,12}$/.test(timestamp) && signatures.length > 0
    && { timestamp, signatures, prefix: `${id}.${timestamp}.`,
      keyOf: (secret) => Buffer.from(secret.slice('whsec_'.length), 'base64') };
}

function parseOwn(header) {
  const match = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header);
  return match && { timestamp: match[1], signatures: [Buffer.from(match[2], 'hex')],
    prefix: `${match[1]}.`, keyOf: (secret) => secret };
}

function checked(secret) {
  if (/^whsec_[0-9A-Za-z+/]+=*$/.test(secret ?? '')) return secret;
  throw new TypeError('The secret of a webhook endpoint begins with "whsec_".');
}

function headerOf(headers, name) {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : String(headers[found]);
}
