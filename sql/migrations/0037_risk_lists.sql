-- What operators allow and block, and what they changed of it; which devices and
-- addresses came with a failure for age; and an index of the addresses by which
-- somebody came who can be told apart from others, for persons are counted.
CREATE TABLE risk_list_entry (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    id              idv_id NOT NULL,
    kind            text NOT NULL
        CHECK (kind IN ('ip', 'email', 'phone', 'device', 'email_domain')),
    listing         text NOT NULL CHECK (listing IN ('allow', 'block')),
    value           text CHECK (value IS NULL OR kind = 'email_domain'),
    note            text,
    actor           text NOT NULL,
    created_at      bigint NOT NULL,
    expires_at      bigint,
    PRIMARY KEY (organization_id, digest),
    UNIQUE (organization_id, id)
);
COMMENT ON TABLE risk_list_entry IS
    'Identifiers that an organization''s operator allows or blocks.';
COMMENT ON COLUMN risk_list_entry.digest IS
    'HMAC under a key of the server, of the kind and the value';
COMMENT ON COLUMN risk_list_entry.value IS
    'The value in plain text, of kinds that are not personal';
COMMENT ON COLUMN risk_list_entry.expires_at IS
    'From then on it is not looked at; NULL: never';

CREATE TABLE risk_list_change (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    entry_id        idv_id NOT NULL,
    action          text NOT NULL CHECK (action IN ('allow', 'block', 'remove')),
    kind            text NOT NULL,
    digest          bytea NOT NULL,
    value           text,
    note            text,
    actor           text NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
COMMENT ON TABLE risk_list_change IS
    'Who changed which entry of the lists, in order; never changed itself.';

CREATE TABLE age_failure (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    session_id      idv_id NOT NULL,
    failed_at       bigint NOT NULL,
    PRIMARY KEY (organization_id, digest, session_id)
);
CREATE INDEX age_failure_by_session ON age_failure (organization_id, session_id);
CREATE INDEX age_failure_by_age ON age_failure USING brin (failed_at);
COMMENT ON TABLE age_failure IS
    'By which device and address somebody came who was found too young.';
COMMENT ON COLUMN age_failure.digest IS
    'HMAC of the device or the address, as in risk_observation';

DROP INDEX risk_observation_by_ip;
CREATE INDEX risk_observation_by_ip
    ON risk_observation (organization_id, hour, ip_digest)
    WHERE ip_digest IS NOT NULL
      AND coalesce(person_digest, device_digest) IS NOT NULL;
