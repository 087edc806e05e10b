/* The rival of the benchmarks: sessions created, retrieved and listed by
 * Fastify, with the checks and the durability of the service: keys (cached for
 * ten seconds, where the service notices a revocation at once), limits and
 * their headers, strict validation, idempotency records sealed as the service
 * seals them, and a creation that is one statement and answered after its
 * commit. Statements of all requests are pipelined over few connections.
 *
 *   node server.mjs PORT     PGHOST, PGPORT, ... say where its schema is
 *
 * It prints a line when its workers listen, and ends with its standard input. */
import cluster from 'node:cluster';
import { createCipheriv, createDecipheriv, createHash, randomBytes }
  from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const workers = 2;
const connectionsOfWorker = 2;
const keyCachedMs = 10_000;
const requestsPerMinute = 1_000_000_000 / workers;
const sessionMs = 86_400_000;
const sealingKey = Buffer.from(process.env.RIVAL_SEALING_KEY, 'hex');

const statements = {
  account: `SELECT organization_id, workflow_id, active FROM rival.account
             WHERE api_key_digest = $1`,
  retrieve: `SELECT answer FROM rival.session
              WHERE organization_id = $1 AND id = $2`,
  list: `SELECT id, answer FROM rival.session
          WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
  record: `SELECT request_digest, sealed_response FROM rival.idempotency_record
            WHERE organization_id = $1 AND key = $2`,
  create: `WITH kept AS (
    INSERT INTO rival.idempotency_record
    SELECT $1, $9::text, $10::bytea, $11::bytea, $7::bigint
     WHERE $9::text IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING key
  ), session AS (
    INSERT INTO rival.session
    SELECT $1, $2, 'created', $3, $4::bytea, $5::bigint, $6
     WHERE $9::text IS NULL OR EXISTS (SELECT FROM kept)
    RETURNING id
  ), event AS (
    INSERT INTO rival.event
    SELECT $1, 'evt_' || substr(id, 5), 'verification_session.created', $8,
           $7::bigint
      FROM session
    RETURNING id
  ), delivery AS (
    INSERT INTO rival.delivery (organization_id, id, endpoint_id, event_id,
                                due_at)
    SELECT $1, 'whd_' || substr(e.id, 5) || w.id, w.id, e.id, $7::bigint
      FROM event e, rival.endpoint w WHERE w.organization_id = $1
  )
  SELECT id FROM session`,
};

const sessionParameters = {
  type: 'object',
  required: ['type', 'workflow_id'],
  additionalProperties: false,
  properties: {
    type: { enum: ['identity', 'age', 'student'] },
    workflow_id: { type: 'string', pattern: '^wf_[0-9a-z]{1,40}$' },
    client_reference_id: { type: 'string', maxLength: 255 },
    jurisdiction: { type: 'string', pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$' },
    metadata: {
      type: 'object', maxProperties: 50,
      propertyNames: { minLength: 1, maxLength: 40 },
      additionalProperties: { type: 'string', maxLength: 500 },
    },
  },
};
const listParameters = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    starting_after: { type: 'string', maxLength: 64 },
  },
};

class ApiError extends Error {
  constructor(status, code) {
    super(code);
    this.statusCode = status;
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest();
}

/* 48 bits of time and 72 of chance, in the order of creation. */
function newId(prefix, now) {
  return prefix + now.toString(16).padStart(12, '0')
    + randomBytes(9).toString('hex').slice(0, 14);
}

function seal(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(),
    cipher.getAuthTag()]);
}
function unseal(sealed) {
  const cipher = createDecipheriv('aes-256-gcm', sealingKey,
    sealed.subarray(0, 12));
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(12, -16)),
    cipher.final()]).toString();
}

async function connect() {
  const clients = await Promise.all(
    Array.from({ length: connectionsOfWorker }, async () => {
      const client = new pg.Client({ pipeline: true });
      await client.connect();
      return client;
    }));
  let turn = 0;
  return (name, values) =>
    clients[turn++ % clients.length].query(
      { name, text: statements[name], values, rowMode: 'array' });
}

function authenticator(query) {
  const known = new Map();
  return async function authenticate(request, reply) {
    const [, token] = /^Bearer (svc_sk_[\w-]{20,80})$/.exec(
      request.headers.authorization ?? '') ?? [];
    if (!token) throw new ApiError(401, 'api_key_invalid');
    let account = known.get(token);
    const now = Date.now();
    if (!account || account.until < now) {
      const { rows: [row] } = await query('account', [digest(token)]);
      if (!row) throw new ApiError(401, 'api_key_invalid');
      account = { organization: row[0], workflow: row[1], active: row[2],
        until: now + keyCachedMs, minute: account?.minute, count: account?.count };
      known.set(token, account);
    }
    count(account, now, reply);
    request.account = account;
  };
}

function count(account, now, reply) {
  const minute = Math.floor(now / 60_000);
  if (account.minute !== minute) {
    account.minute = minute;
    account.count = 0;
  }
  const remaining = requestsPerMinute - ++account.count;
  reply.header('x-ratelimit-limit', requestsPerMinute)
    .header('x-ratelimit-remaining', Math.max(0, remaining))
    .header('x-ratelimit-reset', (minute + 1) * 60);
  if (remaining < 0) throw new ApiError(429, 'rate_limit_exceeded');
}

function newSession(account, body, id, now) {
  const created = Math.floor(now / 1000);
  return {
    id, object: 'verification_session', status: 'created', type: body.type,
    methods: ['document_capture'], current_method: null,
    client_reference_id: body.client_reference_id ?? null, return_url: null,
    cancel_url: null, client_secret: null, metadata: body.metadata ?? {},
    expires_at: created + sessionMs / 1000, completed_at: null,
    cancelled_at: null, created, updated: created, verification_path: null,
    active_device: null, device_locked_at: null, age_tier: 'min_age_21',
    jurisdiction: body.jurisdiction ?? null,
    jurisdiction_audit_declared: body.jurisdiction ?? null,
    jurisdiction_audit_ip_derived: null,
    jurisdiction_audit_resolved: body.jurisdiction ?? null,
    jurisdiction_audit_source: 'explicit', jurisdiction_audit_mismatch: null,
    physical_check_required: false, user_message: null,
    compliance: { jurisdiction: body.jurisdiction ?? null,
      age_tier: 'min_age_21', mdl_acceptance_status: 'full',
      mdl_legally_recognized: true, physical_check_required: false,
      user_message: null, governing_regulator: null, rule_version: '1' },
    requires_email_otp: false,
  };
}

function newEvent(session) {
  const { id, object, status, type, client_reference_id, current_method,
    age_tier, jurisdiction, jurisdiction_audit_declared,
    jurisdiction_audit_ip_derived, jurisdiction_audit_resolved,
    jurisdiction_audit_source, jurisdiction_audit_mismatch,
    verification_path, completed_at, created } = session;
  return JSON.stringify({ id: `evt_${id.slice(4)}`, object: 'event',
    type: 'verification_session.created', created,
    data: { object: { id, object, status, type, client_reference_id,
      current_method, age_tier, jurisdiction, jurisdiction_audit_declared,
      jurisdiction_audit_ip_derived, jurisdiction_audit_resolved,
      jurisdiction_audit_source, jurisdiction_audit_mismatch,
      verification_path, workflow_version_id: 'wfv_1', livemode: true,
      completed_at, created, verification_result: null, last_error: null } } });
}

async function create(query, request, reply) {
  const { account, body } = request;
  const key = request.headers['idempotency-key'] ?? null;
  if (key !== null && !/^[ -~]{1,255}$/.test(key))
    throw new ApiError(400, 'parameter_invalid');
  if (!account.active) throw new ApiError(402, 'billing_suspended');
  if (body.workflow_id !== account.workflow)
    throw new ApiError(404, 'resource_missing');
  const now = Date.now();
  const id = newId('vks_', now);
  const secret = `${id}_secret_${randomBytes(32).toString('base64url')}`;
  const session = newSession(account, body, id, now);
  const stored = JSON.stringify(session);
  session.client_secret = secret;
  const answer = JSON.stringify(session);
  const requestDigest = key === null ? null : digest(JSON.stringify(body));
  const { rowCount } = await query('create', [account.organization, id,
    session.client_reference_id, digest(secret), now + sessionMs, stored, now,
    newEvent(session), key, requestDigest, key === null ? null : seal(answer)]);
  reply.type('application/json').code(201);
  return rowCount ? answer
    : replay(query, account, key, requestDigest, reply);
}

async function replay(query, account, key, requestDigest, reply) {
  const { rows: [row] } = await query('record', [account.organization, key]);
  if (!row || !row[0].equals(requestDigest))
    throw new ApiError(400, 'idempotency_key_reuse');
  reply.header('idempotent-replayed', 'true');
  return unseal(row[1]);
}

async function retrieve(query, request, reply) {
  const { rows: [row] } = await query('retrieve',
    [request.account.organization, request.params.id]);
  if (!row) throw new ApiError(404, 'session_not_found');
  reply.type('application/json');
  return row[0];
}

async function list(query, request, reply) {
  const { limit, starting_after: after = '~' } = request.query;
  const { rows } = await query('list',
    [request.account.organization, after, limit + 1]);
  const more = rows.length > limit;
  if (more) rows.pop();
  reply.type('application/json');
  return '{"object":"list","url":"/v1/verification_sessions","has_more":'
    + `${more},"data":[${rows.map((row) => row[1]).join(',')}]}`;
}

async function serve(port) {
  const query = await connect();
  const app = Fastify({ logger: false, bodyLimit: 65536,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: true } } });
  app.setErrorHandler((error, request, reply) => {
    const status = error.statusCode ?? 500;
    const code = error instanceof ApiError ? error.message
      : status < 500 ? 'parameter_invalid' : 'internal_error';
    reply.code(status).send({ error: { code, message: code } });
  });
  app.addHook('onRequest', authenticator(query));
  const path = '/v1/verification_sessions';
  app.get(`${path}/:id`, (request, reply) => retrieve(query, request, reply));
  app.get(path, { schema: { querystring: listParameters } },
    (request, reply) => list(query, request, reply));
  app.post(path, { schema: { body: sessionParameters } },
    (request, reply) => create(query, request, reply));
  await app.listen({ host: '127.0.0.1', port, backlog: 511 });
}

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', () => {
    if (++listening === workers) console.log('listening');
  });
  for (let i = 0; i < workers; i++) cluster.fork();
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
} else {
  await serve(Number(process.argv[2]));
}
