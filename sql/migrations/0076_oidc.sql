-- The OpenID Connect provider.
CREATE TABLE oidc_client (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    name            text NOT NULL,
    redirect_uris   text[] NOT NULL,
    authentication  text NOT NULL CHECK (authentication IN
                        ('client_secret_basic', 'private_key_jwt', 'none')),
    secret_digest   bytea,
    jwks            text,
    algorithm       text NOT NULL CHECK (algorithm IN ('RS256', 'ES256')),
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id),
    CHECK ((authentication = 'client_secret_basic') = (secret_digest IS NOT NULL)),
    CHECK ((authentication = 'private_key_jwt') = (jwks IS NOT NULL))
);
CREATE UNIQUE INDEX oidc_client_by_id ON oidc_client (id);
COMMENT ON TABLE oidc_client IS
    'Applications that log people in through OpenID Connect';
COMMENT ON COLUMN oidc_client.secret_digest IS 'SHA-256 of the client secret';
COMMENT ON COLUMN oidc_client.jwks IS
    'JSON array of the public keys with which the client signs assertions';
COMMENT ON COLUMN oidc_client.algorithm IS 'That signs its ID tokens';

CREATE TABLE oidc_login (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    client_id       idv_id NOT NULL,
    browser_digest  bytea NOT NULL,
    type            text NOT NULL CHECK (type IN ('age', 'identity')),
    redirect_uri    text NOT NULL,
    state           text,
    nonce           text,
    challenge       text NOT NULL,
    scope           text NOT NULL,
    session_id      idv_id,
    code_digest     bytea,
    code_expires_at bigint,
    code_used_at    bigint,
    code_reused_at  bigint,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX oidc_login_by_browser
    ON oidc_login (organization_id, client_id, browser_digest, id);
CREATE UNIQUE INDEX oidc_login_by_code
    ON oidc_login (organization_id, code_digest) WHERE code_digest IS NOT NULL;
CREATE INDEX oidc_login_by_session
    ON oidc_login (organization_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oidc_login_by_time ON oidc_login (created_at);
COMMENT ON TABLE oidc_login IS
    'Authorization requests of clients, and the code that each led to';
COMMENT ON COLUMN oidc_login.browser_digest IS
    'SHA-256 of the cookie of the browser that makes it';
COMMENT ON COLUMN oidc_login.challenge IS 'Of PKCE, by S256';
COMMENT ON COLUMN oidc_login.session_id IS
    'The verification; NULL: the browser has not returned the cookie yet';
COMMENT ON COLUMN oidc_login.code_digest IS 'SHA-256 of the authorization code';
COMMENT ON COLUMN oidc_login.code_used_at IS
    'When the code was presented by its client, rightly or not';
COMMENT ON COLUMN oidc_login.code_reused_at IS
    'When the code was last presented again, which was refused';

CREATE TABLE oidc_key (
    id          text NOT NULL PRIMARY KEY,
    algorithm   text NOT NULL CHECK (algorithm IN ('RS256', 'ES256')),
    sealed_key  bytea NOT NULL,
    public_key  text NOT NULL,
    created_at  bigint NOT NULL,
    signs_from  bigint NOT NULL,
    ends_at     bigint
);
COMMENT ON TABLE oidc_key IS 'Keys of the service that sign ID tokens';
COMMENT ON COLUMN oidc_key.id IS
    'The kid of its tokens, the thumbprint of its public part (RFC 7638)';
COMMENT ON COLUMN oidc_key.sealed_key IS
    'PKCS #8 in PEM, sealed by the master key';
COMMENT ON COLUMN oidc_key.public_key IS 'JWK, as published';
COMMENT ON COLUMN oidc_key.signs_from IS
    'It is published before, so that clients know it by then';
COMMENT ON COLUMN oidc_key.ends_at IS
    'When it is no longer published; NULL: it was not replaced';
