-- Indexes of the lists of sessions. Searching reads the session ids forwards
-- and backwards, so it finds their beginnings and ends, and by trigrams any
-- part of client reference ids. Both extensions come with PostgreSQL, and the
-- owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE INDEX verification_session_by_client_reference_part
    ON verification_session
 USING gin (organization_id, client_reference_id gin_trgm_ops)
 WHERE client_reference_id IS NOT NULL;
CREATE INDEX verification_session_by_id_end
    ON verification_session (organization_id, reverse(id));

-- What a key of an application sees; others have no part in these.
CREATE INDEX verification_session_by_application
    ON verification_session (organization_id, application_id, id)
 WHERE application_id IS NOT NULL;
CREATE INDEX verification_session_by_application_status
    ON verification_session (organization_id, application_id, status, id)
 WHERE application_id IS NOT NULL;
