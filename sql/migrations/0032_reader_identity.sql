-- As whom organizations ask wallets.
CREATE TABLE reader_identity (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('haip', 'apple', 'eudi')),
    status          text NOT NULL CHECK (status IN ('pending', 'active',
                                                    'retired')),
    key_type        text NOT NULL CHECK (key_type IN ('p256', 'rsa')),
    sealed_key      bytea,
    chain           text[],
    registration    text,
    not_after       bigint,
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id),
    CHECK ((status = 'retired') = (sealed_key IS NULL)),
    CHECK (status <> 'active' OR (chain IS NOT NULL AND not_after IS NOT NULL))
);
CREATE UNIQUE INDEX reader_identity_by_id ON reader_identity (id);
CREATE UNIQUE INDEX reader_identity_active
    ON reader_identity (organization_id, kind) WHERE status = 'active';
COMMENT ON TABLE reader_identity IS
    'Keys and certificates with which requests to wallets are signed.';
COMMENT ON COLUMN reader_identity.organization_id IS
    'Empty: of the server, for organizations that have none of their own';
COMMENT ON COLUMN reader_identity.status IS
    'pending: not certified yet; retired: replaced or removed, without its key';
COMMENT ON COLUMN reader_identity.sealed_key IS
    'PKCS #8 in PEM, sealed by the master key';
COMMENT ON COLUMN reader_identity.chain IS
    'Certificates in base64, the leaf first, without the anchor';
COMMENT ON COLUMN reader_identity.registration IS
    'JWT that registers the organization as a relying party';
COMMENT ON COLUMN reader_identity.not_after IS
    'When the first certificate of the chain ends';
