-- Reuse of credentials at session creation.

-- SHA-256 of the credential_hash that an organization's results show.
ALTER TABLE credential ADD COLUMN hash_digest bytea;
CREATE INDEX credential_by_hash ON credential (organization_id, hash_digest)
    WHERE hash_digest IS NOT NULL;

-- Attempts of accept_existing for an identifier, the last few of them.
CREATE TABLE reuse_attempt (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    attempted_at    bigint[] NOT NULL,
    updated_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, digest)
) WITH (fillfactor = 50);
CREATE INDEX reuse_attempt_by_age ON reuse_attempt USING brin (updated_at);
