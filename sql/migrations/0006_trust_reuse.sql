-- Reuse of verifications across organizations.

CREATE TABLE trust_reuse_settings (
    organization_id           idv_id NOT NULL,
    application_id            idv_id NOT NULL,
    enabled                   boolean NOT NULL,
    max_age_days              integer NOT NULL,
    require_same_jurisdiction boolean NOT NULL,
    accepted_methods          text[] NOT NULL,
    liability_accepted_at     bigint,
    updated_at                bigint NOT NULL,
    PRIMARY KEY (organization_id, application_id)
);

-- Credentials whose persons agreed to share them, by the HMAC of each of their
-- identifiers: the one table that is looked up across organizations.
-- application_id is of the session that minted the credential.
CREATE TABLE shared_credential (
    digest          bytea NOT NULL,
    organization_id idv_id NOT NULL,
    credential_id   idv_id NOT NULL,
    application_id  idv_id NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (digest, organization_id, credential_id)
);
CREATE INDEX shared_credential_by_credential
    ON shared_credential (organization_id, credential_id);

-- organization_id and application_id accepted the credential; the person is
-- the source organization's.
CREATE TABLE trust_reuse_grant (
    organization_id        idv_id NOT NULL,
    id                     idv_id NOT NULL,
    application_id         idv_id NOT NULL,
    source_organization_id idv_id NOT NULL,
    source_credential_id   idv_id NOT NULL,
    session_id             idv_id NOT NULL,
    verified_person_id     idv_id NOT NULL,
    method                 text NOT NULL,
    age_tier               text,
    strength               text NOT NULL,
    granted_at             bigint NOT NULL,
    expires_at             bigint NOT NULL,
    revoked_at             bigint,
    revoked_reason         text,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX trust_reuse_grant_by_person
    ON trust_reuse_grant (organization_id, source_organization_id,
                          verified_person_id);
CREATE INDEX trust_reuse_grant_by_source
    ON trust_reuse_grant (source_organization_id, source_credential_id)
    WHERE revoked_at IS NULL;
