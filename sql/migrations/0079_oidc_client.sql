-- The scopes of a client, and its former secret.
ALTER TABLE oidc_client
    ADD COLUMN scope text NOT NULL DEFAULT 'openid age identity'
        CHECK (scope IN ('openid age', 'openid identity', 'openid age identity')),
    ADD COLUMN former_secret_digest bytea,
    ADD COLUMN former_secret_ends_at bigint;
COMMENT ON COLUMN oidc_client.scope IS 'All scopes that it may request';
COMMENT ON COLUMN oidc_client.former_secret_digest IS
    'SHA-256 of the secret before the last renewal; NULL: it ended at once';
COMMENT ON COLUMN oidc_client.former_secret_ends_at IS
    'Until when the former secret is accepted as well';
