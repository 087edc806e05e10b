-- A page keeps the looks of its organization when its link opens nothing any more.
CREATE TABLE page_secret (
    organization_id idv_id NOT NULL,
    digest          bytea NOT NULL,
    session_id      idv_id NOT NULL,
    PRIMARY KEY (organization_id, digest)
) WITH (autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX page_secret_by_session
    ON page_secret (organization_id, session_id);
COMMENT ON TABLE page_secret IS
    'Secrets that links and phones had for sessions, spent ones included. They open nothing: the page only learns whose it is.';
COMMENT ON COLUMN page_secret.digest IS
    'SHA-256 of a handoff token, or of a phone''s client secret';
COMMENT ON COLUMN verification_session.client_secret_digest IS
    'SHA-256 of the client secret; empty: forgotten with the person, after the end';
INSERT INTO page_secret (organization_id, digest, session_id)
SELECT h.organization_id, d.digest, h.session_id
  FROM handoff h
 CROSS JOIN LATERAL (VALUES (h.token_digest), (h.secret_digest)) d (digest)
 WHERE d.digest IS NOT NULL
    ON CONFLICT DO NOTHING;
