-- The first schema.
--
-- Every table of an organization has organization_id first in its primary key
-- and in its indexes, so that it can be distributed by it. Ids are in order of
-- creation and compared as bytes: hence COLLATE "C" everywhere. Times are Unix
-- milliseconds in bigint. There are no foreign keys to hot parents: they cost
-- a third of the rate of a session's creation; the code that deletes parents
-- deletes their children.

CREATE DOMAIN idv_id AS text COLLATE "C";

CREATE TABLE organization (
    id                         idv_id PRIMARY KEY,
    name                       text NOT NULL,
    sandbox                    boolean NOT NULL DEFAULT false,
    billing_status             text NOT NULL DEFAULT 'active'
        CHECK (billing_status IN ('active', 'suspended')),
    free_allotment             integer NOT NULL DEFAULT 100
        CHECK (free_allotment >= 0),
    credit_balance             bigint NOT NULL DEFAULT 0,
    publishable_session_create text NOT NULL DEFAULT 'allowed'
        CHECK (publishable_session_create IN ('allowed', 'blocked')),
    created_at                 bigint NOT NULL,
    updated_at                 bigint NOT NULL
);

CREATE TABLE application (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    name            text NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- A key has 256 bits of entropy, so its plain SHA-256 is as good as a slow
-- hash and can be looked up.
CREATE TABLE api_key (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    application_id  idv_id,
    type            text NOT NULL CHECK (type IN ('secret', 'publishable')),
    digest          bytea NOT NULL UNIQUE,
    last_characters text NOT NULL,
    expires_at      bigint,
    revoked_at      bigint,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE workflow (
    organization_id    idv_id NOT NULL,
    id                 idv_id NOT NULL,
    application_id     idv_id,
    name               text NOT NULL,
    current_version_id idv_id NOT NULL,
    created_at         bigint NOT NULL,
    updated_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- Immutable once published: a session runs to its end on the version that it
-- began with.
CREATE TABLE workflow_version (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    definition      json NOT NULL,
    compiled        json NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE verification_session (
    organization_id               idv_id NOT NULL,
    id                            idv_id NOT NULL,
    application_id                idv_id,
    workflow_id                   idv_id NOT NULL,
    workflow_version_id           idv_id NOT NULL,
    livemode                      boolean NOT NULL,
    revision                      integer NOT NULL,
    status                        text NOT NULL
        CHECK (status IN ('created', 'pending', 'processing', 'requires_input',
                          'under_review', 'verified', 'failed', 'cancelled',
                          'expired')),
    type                          text NOT NULL
        CHECK (type IN ('identity', 'age', 'student')),
    methods                       text[] NOT NULL,
    current_method                text,
    client_reference_id           text,
    return_url                    text,
    cancel_url                    text,
    metadata                      json NOT NULL,
    user_message                  text,
    created_at                    bigint NOT NULL,
    updated_at                    bigint NOT NULL,
    expires_at                    bigint NOT NULL,
    completed_at                  bigint,
    cancelled_at                  bigint,
    verification_path             text,
    active_device                 text,
    device_locked_at              bigint,
    age_tier                      text,
    jurisdiction                  text,
    jurisdiction_audit_declared   text,
    jurisdiction_audit_ip_derived text,
    jurisdiction_audit_source     text,
    jurisdiction_audit_mismatch   boolean,
    compliance                    json,
    review_opened_at              bigint,
    review_deadline_at            bigint,
    verification_result           json,
    results                       json,
    last_error                    json,
    -- Where the workflow stands; domain/session.h says what is in it.
    runner                        json NOT NULL,
    client_secret_digest          bytea NOT NULL,
    email_digest                  bytea,
    phone_digest                  bytea,
    verified_person_id            idv_id,
    risk_tier                     text
        CHECK (risk_tier IN ('clear', 'review', 'block', 'bot')),
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);

CREATE INDEX verification_session_by_status
    ON verification_session (organization_id, status, id);
CREATE INDEX verification_session_by_client_reference
    ON verification_session (organization_id, client_reference_id, id)
    WHERE client_reference_id IS NOT NULL;
CREATE INDEX verification_session_by_risk_tier
    ON verification_session (organization_id, risk_tier, id)
    WHERE risk_tier IS NOT NULL;
CREATE INDEX verification_session_due
    ON verification_session (expires_at)
    WHERE status IN ('created', 'pending', 'processing', 'requires_input');
CREATE INDEX verification_session_review_due
    ON verification_session (review_deadline_at)
    WHERE status = 'under_review';

-- The key that seals a session's evidence, itself sealed by the master key.
-- Purging evidence is deleting this row.
CREATE TABLE session_data_key (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    wrapped_key     bytea NOT NULL,
    PRIMARY KEY (organization_id, session_id)
);

CREATE TABLE evidence (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    side            text NOT NULL,
    media_type      text NOT NULL,
    sealed          bytea NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, side)
);
ALTER TABLE evidence ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- A submission that waits for its analysis. Claiming sets leased_by to the
-- claiming node and moves due_at to the end of the lease.
CREATE TABLE analysis_job (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    id              idv_id NOT NULL,
    method          text NOT NULL,
    submission      integer NOT NULL, -- runner.submission of the session
    sides           text[] NOT NULL,
    attempts        integer NOT NULL DEFAULT 0,
    due_at          bigint NOT NULL,
    leased_by       text,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, id)
);
CREATE INDEX analysis_job_due ON analysis_job (due_at);

-- body is the exact text that is signed and sent.
CREATE TABLE event (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    application_id  idv_id,
    type            text NOT NULL,
    object_id       idv_id NOT NULL,
    body            text NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX event_by_type ON event (organization_id, type, id);
CREATE INDEX event_by_object ON event (organization_id, object_id, id);
CREATE INDEX event_by_age ON event USING brin (created_at);

CREATE TABLE webhook_endpoint (
    organization_id      idv_id NOT NULL,
    id                   idv_id NOT NULL,
    application_id       idv_id,
    name                 text,
    url                  text NOT NULL,
    enabled_events       text[] NOT NULL,
    status               text NOT NULL CHECK (status IN ('enabled', 'disabled')),
    description          text,
    metadata             json NOT NULL,
    sealed_secret        bytea NOT NULL,
    consecutive_failures integer NOT NULL DEFAULT 0,
    failing_since        bigint,
    created_at           bigint NOT NULL,
    updated_at           bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);

-- Queue entry and record in one row. Claiming sets leased_by to the claiming
-- node and moves next_attempt_at to the end of the lease. New deliveries are
-- found by endpoint, so that the backlog of one hides nobody else's; repeated
-- and abandoned ones by time.
CREATE TABLE webhook_delivery (
    organization_id     idv_id NOT NULL,
    id                  idv_id NOT NULL,
    webhook_endpoint_id idv_id NOT NULL,
    event_id            idv_id NOT NULL,
    event_type          text NOT NULL,
    status              text NOT NULL DEFAULT 'pending'
        CHECK (status IN ('pending', 'delivered', 'failed')),
    attempt             integer NOT NULL DEFAULT 0,
    next_attempt_at     bigint,
    leased_by           text,
    request_url         text,
    request_headers     json,
    response            json,
    last_error          json,
    delivered_at        bigint,
    created_at          bigint NOT NULL,
    updated_at          bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);
CREATE INDEX webhook_delivery_by_endpoint
    ON webhook_delivery (organization_id, webhook_endpoint_id, id);
CREATE INDEX webhook_delivery_new
    ON webhook_delivery (webhook_endpoint_id, id)
    WHERE status = 'pending' AND attempt = 0 AND leased_by IS NULL;
CREATE INDEX webhook_delivery_due
    ON webhook_delivery (next_attempt_at, id)
    WHERE status = 'pending' AND (attempt > 0 OR leased_by IS NOT NULL);
CREATE INDEX webhook_delivery_by_age
    ON webhook_delivery USING brin (created_at);

-- The answer of a write, stored in the transaction of that write.
CREATE TABLE idempotency_record (
    organization_id idv_id NOT NULL,
    application_id  idv_id NOT NULL, -- '' for an organization-wide key
    route           text NOT NULL,
    key             text NOT NULL,
    request_digest  bytea NOT NULL,
    status          integer NOT NULL,
    sealed_response bytea NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, application_id, route, key)
);
CREATE INDEX idempotency_record_by_age
    ON idempotency_record USING brin (created_at);

CREATE TABLE verified_person (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- E-mail addresses and phone numbers as HMACs under a key of the server.
CREATE TABLE person_identifier (
    organization_id    idv_id NOT NULL,
    kind               text NOT NULL CHECK (kind IN ('email', 'phone')),
    digest             bytea NOT NULL,
    verified_person_id idv_id NOT NULL,
    created_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, kind, digest)
);
CREATE INDEX person_identifier_by_person
    ON person_identifier (organization_id, verified_person_id);

-- What a verified session proved. Without an e-mail address or a phone number
-- it belongs to no known person and can be reused by its token alone.
CREATE TABLE credential (
    organization_id    idv_id NOT NULL,
    id                 idv_id NOT NULL,
    verified_person_id idv_id,
    session_id         idv_id NOT NULL,
    method             text NOT NULL,
    strength           text NOT NULL,
    age_tier           text,
    age_over           integer, -- the exact age proved, where known
    methods            text[] NOT NULL, -- all that were passed
    jurisdiction       text,
    verified_at        bigint NOT NULL,
    expires_at         bigint NOT NULL,
    revoked_at         bigint,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX credential_by_person
    ON credential (organization_id, verified_person_id, id)
    WHERE verified_person_id IS NOT NULL;
CREATE INDEX credential_by_session
    ON credential (organization_id, session_id);

CREATE TABLE vp_token (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    credential_id   idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    expires_at      bigint NOT NULL,
    revoked_at      bigint,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, digest)
);

-- What was used in a calendar month (UTC), counted in the transaction of the
-- verification. month is year * 100 + month.
CREATE TABLE monthly_usage (
    organization_id idv_id NOT NULL,
    month           integer NOT NULL,
    verifications   integer NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, month)
) WITH (fillfactor = 50);

-- Credits bought and spent; the sum of an organization's rows is its balance.
CREATE TABLE ledger_entry (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    amount          bigint NOT NULL,
    balance         bigint NOT NULL,
    note            text NOT NULL,
    session_id      idv_id,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
