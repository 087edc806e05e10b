-- Passkeys (WebAuthn), with which persons reuse a verification of the organization.
CREATE TABLE passkey (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    credential_id   idv_id NOT NULL,
    user_handle     bytea NOT NULL,
    public_key      bytea NOT NULL,
    sign_count      bigint NOT NULL,
    created_at      bigint NOT NULL,
    last_used_at    bigint,
    cloned_at       bigint,
    PRIMARY KEY (organization_id, digest)
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX passkey_by_credential ON passkey (organization_id, credential_id);
COMMENT ON TABLE passkey IS
    'Passkeys that redeem the VP token of a credential; they hold nothing of the person';
COMMENT ON COLUMN passkey.digest IS
    'First 16 bytes of the SHA-256 of the credential ID of WebAuthn';
COMMENT ON COLUMN passkey.credential_id IS 'The credential with the VP token';
COMMENT ON COLUMN passkey.user_handle IS 'Random; the same for all passkeys of a person';
COMMENT ON COLUMN passkey.public_key IS 'COSE_Key (RFC 9052)';
COMMENT ON COLUMN passkey.sign_count IS
    'Last signature counter of the authenticator; 0: it has none';
COMMENT ON COLUMN passkey.cloned_at IS
    'When its counter went back, since when it is refused; NULL: never';

-- What an authenticator has to sign, once.
CREATE TABLE passkey_challenge (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    ceremony        text NOT NULL CHECK (ceremony IN ('registration', 'assertion')),
    challenge       bytea NOT NULL,
    user_handle     bytea,
    expires_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, ceremony)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX passkey_challenge_by_age ON passkey_challenge (expires_at);
COMMENT ON TABLE passkey_challenge IS
    'Challenges of ceremonies under way, each of which is used once';
COMMENT ON COLUMN passkey_challenge.user_handle IS
    'That a registration gives the passkey; NULL for an assertion';
