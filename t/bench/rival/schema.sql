-- The rival's own schema: what a careful team keeps for the same interface when
-- it stores the answer of a session as text. Ids are ordered by time, times are
-- Unix milliseconds, a list filters by status or reference as ours does.
CREATE SCHEMA rival;

CREATE TABLE rival.account (
    api_key_digest  bytea PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL,
    workflow_id     text COLLATE "C" NOT NULL,
    active          boolean NOT NULL
);

CREATE TABLE rival.session (
    organization_id      text COLLATE "C" NOT NULL,
    id                   text COLLATE "C" NOT NULL,
    status               text NOT NULL,
    client_reference_id  text,
    client_secret_digest bytea NOT NULL,
    expires_at           bigint NOT NULL,
    answer               text NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX ON rival.session (organization_id, status, id);
CREATE INDEX ON rival.session (organization_id, client_reference_id, id)
    WHERE client_reference_id IS NOT NULL;

CREATE TABLE rival.event (
    organization_id text COLLATE "C" NOT NULL,
    id              text COLLATE "C" NOT NULL,
    type            text NOT NULL,
    body            text NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);

CREATE TABLE rival.endpoint (
    organization_id text COLLATE "C" NOT NULL,
    id              text COLLATE "C" NOT NULL,
    url             text NOT NULL,
    secret          text NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- Queue entry and record in one; only what is due is in the queue's index.
CREATE TABLE rival.delivery (
    organization_id text COLLATE "C" NOT NULL,
    id              text COLLATE "C" NOT NULL,
    endpoint_id     text COLLATE "C" NOT NULL,
    event_id        text COLLATE "C" NOT NULL,
    due_at          bigint,
    status          text NOT NULL DEFAULT 'pending',
    attempt         integer NOT NULL DEFAULT 0,
    response        json,
    PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70);
CREATE INDEX ON rival.delivery (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE rival.idempotency_record (
    organization_id text COLLATE "C" NOT NULL,
    key             text NOT NULL,
    request_digest  bytea NOT NULL,
    sealed_response bytea NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, key)
);
