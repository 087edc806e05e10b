-- A session that moves to a phone. The row of a session is about its last
-- handoff: a new link takes the place of the one before.
CREATE TABLE handoff (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    token_digest    bytea,
    pairing         integer NOT NULL,
    choices         integer[] NOT NULL,
    expires_at      bigint NOT NULL,
    phone           integer,
    secret_digest   bytea,
    held            boolean NOT NULL DEFAULT false,
    idle_at         bigint,
    PRIMARY KEY (organization_id, session_id)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX handoff_by_token
    ON handoff (organization_id, token_digest) WHERE token_digest IS NOT NULL;
-- What rises with each request of a phone stands in no index, so that it costs
-- no more than the row.
CREATE INDEX handoff_held ON handoff (session_id) WHERE held;
COMMENT ON TABLE handoff IS
    'Links by which phones take sessions over, and the phones that did.';
COMMENT ON COLUMN handoff.token_digest IS
    'SHA-256 of the link''s token; NULL once it was used or is void';
COMMENT ON COLUMN handoff.pairing IS
    'The number that the first device shows and the phone chooses';
COMMENT ON COLUMN handoff.choices IS 'The numbers that the phone chooses from';
COMMENT ON COLUMN handoff.phone IS
    'The number of the phone that took the session last; NULL: none did';
COMMENT ON COLUMN handoff.secret_digest IS
    'SHA-256 of that phone''s client secret';
COMMENT ON COLUMN handoff.held IS
    'The phone has the session: its active_device is set';
COMMENT ON COLUMN handoff.idle_at IS
    'When the phone has it no longer, unless it is heard of before';
