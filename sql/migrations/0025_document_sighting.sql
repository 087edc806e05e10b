-- In which sessions a document, or a picture of one, was shown.
CREATE TABLE document_sighting (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    session_id      idv_id NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, digest, session_id)
);
CREATE INDEX document_sighting_by_session
    ON document_sighting (organization_id, session_id);
CREATE INDEX document_sighting_by_age
    ON document_sighting USING brin (created_at);
COMMENT ON TABLE document_sighting IS
    'Documents and pictures of them that sessions were shown, as HMACs.';
COMMENT ON COLUMN document_sighting.digest IS
    'HMAC under a key of the server, of the organization and a picture''s bytes, '
    'or of a document''s issuer and number';
