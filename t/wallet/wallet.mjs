// SPDX-License-Identifier: Apache-2.0
/*
 * A wallet for tests, made of libraries that others wrote: it issues itself
 * mobile documents (@owf/mdoc), reads requests (@openid4vc/openid4vp, dcql, jose)
 * and answers them, over HTTP or for a browser. What it is told to get wrong, it
 * gets wrong.
 *
 * A process serves one test: each line of its input is a JSON object with the
 * name of an operation below, each line of its output the result.
 */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, diffieHellman,
  createHmac, randomBytes, sign, verify, X509Certificate } from 'node:crypto';
import { createInterface } from 'node:readline';
import { deflateSync } from 'node:zlib';
import { CipherSuite, HkdfSha256, DhkemP256HkdfSha256, Aes128Gcm } from '@hpke/core';
import { CoseKey, DateOnly, DeviceKey, DeviceRequest, DeviceResponse, DocRequest,
  Issuer, IssuerSigned, IssuerSignedItem, ItemsRequest, MobileSecurityObject,
  SessionTranscript, cborDecode, cborEncode } from '@owf/mdoc';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { DcqlQuery } from 'dcql';
import * as jose from 'jose';

const ES256 = -7;
const MDL = 'org.iso.18013.5.1.mDL';

/* --- what the libraries leave to their user --- */

const jwkKey = (key) => createPrivateKey({ key: key.jwk, format: 'jwk' });
const raw = (key) => ({ key, dsaEncoding: 'ieee-p1363' });

const context = {
  crypto: {
    random: (length) => new Uint8Array(randomBytes(length)),
    digest: ({ digestAlgorithm, bytes }) => new Uint8Array(
      createHash(digestAlgorithm.replace('-', '')).update(bytes).digest()),
    calculateEphemeralMacKey: ({ privateKey, publicKey, sessionTranscriptBytes, info }) => {
      throw new Error('a MAC is made elsewhere');
    },
  },
  cose: {
    sign1: {
      sign: ({ toBeSigned, key }) =>
        new Uint8Array(sign('sha256', toBeSigned, raw(jwkKey(key)))),
      verify: ({ key, sign1 }) => verify('sha256', sign1.toBeSigned,
        raw(createPublicKey({ key: key.jwk, format: 'jwk' })), sign1.signature),
    },
    mac0: {
      sign: ({ key, toBeAuthenticated }) => new Uint8Array(
        createHmac('sha256', key.privateKey).update(toBeAuthenticated).digest()),
    },
  },
  x509: {},
};

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const der = (pem) => new Uint8Array(new X509Certificate(pem).raw);
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');

async function newKey() {
  const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true });
  return jose.exportJWK(privateKey);
}

function publicPart({ kty, crv, x, y }) {
  return { kty, crv, x, y };
}

/* --- documents --- */

const documents = new Map(); /* name → {doctype, namespace, issued, deviceKey} */

const day = 24 * 3600 * 1000;
const seconds = (time) => new Date(Math.floor(time / 1000) * 1000);

/* What SIGN makes, with STATUS in the object that is signed: the library knows no
 * such member. */
async function withStatus(status, sign) {
  const { create } = MobileSecurityObject;
  if (!status) return sign();
  MobileSecurityObject.create = function createWithStatus(options) {
    const object = create.call(this, options);
    const { encodedStructure } = object;
    Object.defineProperty(object, 'encodedStructure',
      { value: new Map([...encodedStructure, ['status', status]]) });
    return object;
  };
  try {
    return await sign();
  } finally {
    MobileSecurityObject.create = create;
  }
}

/* Where an issuer tells whether a document is revoked: {uri, idx} or {uri, id}. */
function statusOf({ uri, idx, id }) {
  return id === undefined
    ? new Map([['status_list', new Map([['idx', idx], ['uri', uri]])]])
    : new Map([['identifier_list', new Map([
      ['id', new Uint8Array(Buffer.from(id))], ['uri', uri]])]]);
}

/* {name, issuer: {key, certificate}, elements, doctype?, status?, faults?,
 *  valid_from_days?, valid_until_days?}: a document that this wallet has from now
 *  on. */
async function issue({ name, issuer, elements, doctype = MDL, status, faults = {},
  ...times }) {
  const namespace = doctype === MDL ? 'org.iso.18013.5.1' : doctype;
  const deviceKey = await newKey();
  const signingKey = faults.issuer_key ? await newKey()
    : createPrivateKey(issuer.key).export({ format: 'jwk' });
  const now = Date.now();
  const values = Object.fromEntries(Object.entries(elements).map(([key, value]) =>
    [key, /_date$/.test(key) ? new DateOnly(value)
      : key === 'portrait' ? new Uint8Array(Buffer.from(value, 'base64')) : value]));
  const issued = await withStatus(status && statusOf(status),
    () => new Issuer(doctype, context).addIssuerNamespace(namespace, values).sign({
      signingKey: CoseKey.fromJwk(signingKey),
      algorithm: ES256,
      digestAlgorithm: 'SHA-256',
      validityInfo: {
        signed: seconds(now - (times.signed_days_ago ?? 0) * day),
        validFrom: seconds(now + (times.valid_from_days ?? 0) * day),
        validUntil: seconds(now + (times.valid_until_days ?? 30) * day),
      },
      deviceKeyInfo: { deviceKey: DeviceKey.fromJwk(publicPart(deviceKey)) },
      certificates: [der(issuer.certificate)],
    }));
  documents.set(name, { doctype, namespace, issued, deviceKey, values });
  return {};
}

/* Labels and claims of RFC 9052, 9360, 8392 and of Token Status List. */
const TYPE = 16, X5CHAIN = 33, SUBJECT = 2, EXPIRES = 4, ISSUED = 6;
const IDENTIFIER_LIST = 65530, STATUS_LIST = 65533;

/* Two bits for each of STATUSES, the first in the lowest bits of the first byte. */
function packed(statuses) {
  const bytes = new Uint8Array(Math.ceil(statuses.length / 4));
  statuses.forEach((status, i) => { bytes[i >> 2] |= status << (i % 4 * 2); });
  return new Uint8Array(deflateSync(bytes));
}

/* {issuer, uri, statuses | identifiers, expires_in?}: the list that stands at URI, a
 * CWT that ISSUER has signed, in base64. */
async function status_list({ issuer, uri, statuses, identifiers, expires_in = 3600 }) {
  const now = Math.floor(Date.now() / 1000);
  const headers = cborEncode(new Map([[1, ES256], [TYPE, statuses
    ? 'application/statuslist+cwt' : 'application/identifierlist+cwt']]));
  const claims = cborEncode(new Map([[SUBJECT, uri], [ISSUED, now],
    [EXPIRES, now + expires_in], statuses
      ? [STATUS_LIST, new Map([['bits', 2], ['lst', packed(statuses)]])]
      : [IDENTIFIER_LIST, new Map([['identifiers', new Map(identifiers.map((id) =>
        [new Uint8Array(Buffer.from(id)), new Map()]))]])]]));
  const signature = sign('sha256',
    cborEncode(['Signature1', headers, new Uint8Array(0), claims]),
    raw(createPrivateKey(issuer.key)));
  return { bytes: Buffer.from(cborEncode([headers,
    new Map([[X5CHAIN, der(issuer.certificate)]]), claims,
    new Uint8Array(signature)])).toString('base64') };
}

/* Changes what was signed: the digest of an element does not fit any more. */
function forge(issued, namespace, forged) {
  const copy = IssuerSigned.decode(issued.encode());
  const items = copy.issuerNamespaces.issuerNamespaces.get(namespace);
  copy.issuerNamespaces.setIssuerNamespace(namespace, items.map((item) =>
    (item.elementIdentifier in forged
      ? IssuerSignedItem.fromOptions({
        digestId: item.digestId,
        random: item.random,
        elementIdentifier: item.elementIdentifier,
        elementValue: forged[item.elementIdentifier],
      }) : item)));
  return copy;
}

/* A DeviceResponse with ELEMENTS of DOCUMENT, bound to TRANSCRIPT. */
async function present(document, elements, transcript, faults) {
  const wanted = [...elements, ...(faults.more_elements ?? [])];
  const request = DeviceRequest.create({
    version: '1.0',
    docRequests: [DocRequest.create({
      itemsRequest: ItemsRequest.create({
        docType: document.doctype,
        namespaces: { [document.namespace]:
          Object.fromEntries(wanted.map((element) => [element, false])) },
      }),
    })],
  });
  const key = faults.device_key ? await newKey() : document.deviceKey;
  const response = await DeviceResponse.createWithDeviceRequest({
    deviceRequest: request,
    sessionTranscript: transcript,
    issuerSigned: [faults.values
      ? forge(document.issued, document.namespace, faults.values) : document.issued],
    signature: { signingKey: CoseKey.fromJwk({ ...key, alg: 'ES256' }) },
  }, context);
  return response.encode();
}

/* Which document answers the query, and with which elements: dcql decides. */
function choose(query, names) {
  DcqlQuery.validate(DcqlQuery.parse(query));
  const have = names.map((name) => documents.get(name));
  const result = DcqlQuery.query(DcqlQuery.parse(query), have.map((document) => ({
    credential_format: 'mso_mdoc',
    doctype: document.doctype,
    namespaces: { [document.namespace]: document.values },
    cryptographic_holder_binding: true,
  })));
  if (!result.can_be_satisfied) return null;
  for (const [id, match] of Object.entries(result.credential_matches)) {
    if (!match.success) continue;
    const [credential] = match.valid_credentials;
    const document = have[credential.input_credential_index];
    const [set] = credential.claims.valid_claim_sets;
    return { id, document, elements: Object.keys(set.output[document.namespace]) };
  }
  return null;
}

/* --- OpenID4VP --- */

const callbacks = {
  hash: (data, algorithm) =>
    createHash(algorithm.replace('-', '')).update(data).digest(),
  fetch,
  getX509CertificateMetadata: () => ({ sanDnsNames: [], sanUriNames: [] }),
  verifyJwt: async (signer, { compact }) => {
    const certificate = new X509Certificate(Buffer.from(signer.x5c[0], 'base64'));
    try {
      await jose.compactVerify(compact, certificate.publicKey);
      return { verified: true,
        signerJwk: await jose.exportJWK(certificate.publicKey) };
    } catch {
      return { verified: false };
    }
  },
  encryptJwe: async (encryptor, data) => ({
    encryptionJwk: encryptor.publicJwk,
    jwe: await encrypt(encryptor.publicJwk, encryptor.enc, data),
  }),
  decryptJwe: async () => ({ decrypted: false }),
  signJwt: async () => { throw new Error('nothing is signed'); },
};

/* PARTIES: {apu, apv}, texts. */
async function encrypt(jwk, enc, data, parties) {
  const jwe = new jose.CompactEncrypt(new TextEncoder().encode(data))
    .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: jwk.kid });
  if (parties)
    jwe.setKeyManagementParameters(Object.fromEntries(Object.entries(parties)
      .map(([name, text]) => [name, new TextEncoder().encode(text)])));
  return jwe.encrypt(await jose.importJWK(jwk, 'ECDH-ES'));
}

async function thumbprint(jwk) {
  return new Uint8Array(Buffer.from(
    await jose.calculateJwkThumbprint(publicPart(jwk)), 'base64url'));
}

/* Reads a request, as the library does: signature, client id, parameters. */
async function resolve(payload, { origin, wallet_nonce } = {}) {
  const client = new Openid4vpClient({ callbacks });
  const parsed = client.parseOpenid4vpAuthorizationRequest({
    authorizationRequest: payload,
  });
  return client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: parsed.params,
    origin,
    wallet: wallet_nonce ? { expectedNonce: wallet_nonce } : undefined,
  });
}

const transcripts = {
  redirect: async (request, jwk, faults) => SessionTranscript.forOid4Vp({
    clientId: request.client_id,
    nonce: faults.nonce ?? request.nonce,
    responseUri: faults.response_uri ?? request.response_uri,
    jwkThumbprint: await thumbprint(jwk),
  }, context),
  dc_api: async (request, jwk, faults, origin) => SessionTranscript.forOid4VpDcApi({
    origin: faults.origin ?? origin,
    nonce: faults.nonce ?? request.nonce,
    jwkThumbprint: await thumbprint(jwk),
  }, context),
  draft_18: async (request, jwk, faults) => SessionTranscript.forOid4VpDraft18({
    clientId: request.client_id,
    verifierGeneratedNonce: faults.nonce ?? request.nonce,
    responseUri: request.response_uri,
    mdocGeneratedNonce: '',
  }, context),
};

/* The encrypted response to REQUEST. */
async function respond(request, kind, { documents: names, faults = {}, origin, enc,
  parties }) {
  const [jwk] = request.client_metadata.jwks.keys;
  const chosen = faults.unasked ? { id: request.dcql_query.credentials[0].id,
    document: documents.get(names[0]), elements: faults.unasked }
    : choose(request.dcql_query, names);
  if (!chosen) return { nothing: true };
  const elements = faults.elements ?? chosen.elements;
  const transcript = await transcripts[faults.transcript ?? kind](
    request, jwk, faults, origin);
  const presentation = await present(chosen.document, elements, transcript, faults);
  const payload = faults.payload
    ?? { vp_token: { [chosen.id]: [base64url(presentation)] } };
  const target = faults.encryption_key
    ? { ...publicPart(await newKey()), kid: jwk.kid } : jwk;
  return {
    elements,
    query: chosen.id,
    response: await encrypt(target, enc ?? 'A128GCM', JSON.stringify(payload), parties),
  };
}

/* --- operations: by link --- */

/* {url, wallet_nonce?, method?}: fetches the request object that a link names. */
async function fetch_request({ url, wallet_nonce, method = 'get' }) {
  const parameters = new URL(url).searchParams;
  const answer = method === 'get'
    ? await fetch(parameters.get('request_uri'))
    : await fetch(parameters.get('request_uri'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(wallet_nonce ? { wallet_nonce } : {}),
    });
  const text = await answer.text();
  if (!answer.ok) return { status: answer.status };
  const resolved = await resolve({ client_id: parameters.get('client_id'),
    request: text }, { wallet_nonce });
  return { status: answer.status, type: answer.headers.get('content-type'), jwt: text,
    header: jose.decodeProtectedHeader(text),
    client_id: parameters.get('client_id'),
    version: resolved.version,
    prefix: resolved.client.prefix,
    request: resolved.authorizationRequestPayload };
}

async function post(response_uri, body) {
  const answer = await fetch(response_uri, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(body),
  });
  return { status: answer.status, content_type: answer.headers.get('content-type'),
    body: await answer.json() };
}

/* {request, documents, faults?, enc?, parties?, is_kept?}: answers a request object, or has
 * the answer ready. */
async function answer_request(options) {
  const { request } = options;
  const made = await respond(request, 'redirect', options);
  if (options.is_kept) return made;
  if (made.nothing)
    return post(request.response_uri, { error: 'access_denied' });
  return { ...made, ...await post(options.response_uri ?? request.response_uri,
    { response: made.response }) };
}

/* {url, documents, faults?}: an app for proofs of age, to which the request comes
 * in the link (direct_post, in the clear). */
async function answer_age_app({ url, documents: names, faults = {} }) {
  const parameters = Object.fromEntries(new URL(url).searchParams);
  const resolved = await resolve({ ...parameters,
    dcql_query: JSON.parse(parameters.dcql_query),
    client_metadata: JSON.parse(parameters.client_metadata) });
  const request = resolved.authorizationRequestPayload;
  const chosen = choose(request.dcql_query, names);
  const transcript = await SessionTranscript.forOid4Vp({
    clientId: request.client_id,
    nonce: faults.nonce ?? request.nonce,
    responseUri: request.response_uri,
  }, context);
  const presentation = await present(chosen.document, chosen.elements, transcript,
    faults);
  const vp_token = JSON.stringify({ [chosen.id]: [base64url(presentation)] });
  return { request, parameters, prefix: resolved.client.prefix,
    elements: chosen.elements, vp_token,
    ...await post(request.response_uri, { vp_token }) };
}

/* {response_uri, body}: sends what it is given. */
async function send({ response_uri, body }) {
  return post(response_uri, body);
}

/* --- operations: for a browser --- */

/* A request under several identities (OpenID4VP 1.0, A.3.2.2), which the library
 * does not know: every signature is checked, and the certificate in TRUSTS (base64),
 * or the first, tells who asks. */
async function resolve_multisigned({ request: { payload, signatures } },
  { trusts, origin }) {
  const readers = await Promise.all(signatures.map(async (entry) => {
    const header = jose.decodeProtectedHeader(entry);
    const certificate = new X509Certificate(Buffer.from(header.x5c[0], 'base64'));
    await jose.flattenedVerify({ payload, ...entry }, certificate.publicKey);
    if (header.client_id !== `x509_hash:${base64url(sha256(certificate.raw))}`)
      throw new Error('the client id is of another certificate');
    return header;
  }));
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (!claims.expected_origins.includes(origin)) throw new Error('of another origin');
  const reader = readers.find(({ x5c }) => !trusts || x5c[0] === trusts);
  return { version: 100, readers, claims,
    authorizationRequestPayload: { ...claims, client_id: reader.client_id } };
}

async function answer_openid4vp(data, options) {
  const resolved = options.protocol === 'openid4vp-v1-multisigned'
    ? await resolve_multisigned(data, options)
    : await resolve(data, { origin: options.origin });
  const made = await respond(resolved.authorizationRequestPayload, 'dc_api', options);
  return { ...made, version: resolved.version,
    readers: resolved.readers, claims: resolved.claims,
    request: resolved.authorizationRequestPayload,
    data: { response: made.response } };
}

/* The transcript of ISO/IEC TS 18013-7, annex C, which the library lacks. */
class AnnexCTranscript extends SessionTranscript {
  constructor(information, origin) {
    super({});
    this.handover_ = ['dcapi',
      new Uint8Array(sha256(cborEncode([information, origin])))];
  }

  get encodedStructure() { return [null, null, this.handover_]; }
}

/* ISO/IEC TS 18013-7, annex C. */
async function answer_iso(data, { documents: names, origin, faults = {} }) {
  const request = DeviceRequest.decode(
    new Uint8Array(Buffer.from(data.deviceRequest, 'base64url')));
  const [, information] = cborDecode(
    new Uint8Array(Buffer.from(data.encryptionInfo, 'base64url')));
  const asked = request.docRequests.map((entry) => entry.itemsRequest);
  const have = names.map((name) => documents.get(name));
  const [items, document] = asked.flatMap((entry) => have
    .filter((candidate) => candidate.doctype === entry.docType)
    .map((candidate) => [entry, candidate]))[0];
  const transcript =
    new AnnexCTranscript(data.encryptionInfo, faults.origin ?? origin);
  const elements = faults.elements
    ?? [...items.namespaces.get(document.namespace).keys()]
      .filter((element) => element in document.values);
  const plain = faults.plain ? Buffer.from(faults.plain, 'hex')
    : await present(document, elements, transcript, faults);
  const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(), aead: new Aes128Gcm() });
  const key = information.get('recipientPublicKey');
  const point = Buffer.concat([Buffer.from([4]), key.get(-2), key.get(-3)]);
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(
      new Uint8Array(point).buffer),
    info: new Uint8Array(transcript.encode()).buffer,
  });
  const sealed = await sender.seal(new Uint8Array(plain).buffer);
  return {
    elements,
    signed: request.docRequests.map((entry) => !!entry.readerAuth),
    asked: Object.fromEntries(asked.map((entry) => [entry.docType,
      Object.fromEntries([...entry.namespaces].map(([space, list]) =>
        [space, Object.fromEntries(list)]))])),
    data: { response: base64url(cborEncode(['dcapi', new Map([
      ['enc', new Uint8Array(sender.enc)],
      ['cipherText', new Uint8Array(sealed)]])])) },
  };
}

/* {requests, protocol, origin, documents, faults?}: as a browser would. */
async function answer_browser(options) {
  const { data } = options.requests.find(
    (entry) => entry.protocol === options.protocol);
  const made = options.protocol === 'org-iso-mdoc'
    ? await answer_iso(data, options) : await answer_openid4vp(data, options);
  return { ...made, protocol: options.protocol };
}

const operations = { issue, status_list, fetch_request, answer_request, answer_age_app, send,
  answer_browser };

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, ...options } = JSON.parse(line);
  let result;
  try {
    result = await operations[operation](options);
  } catch (error) {
    result = { failed: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
