-- Records that a session showed these pictures and this document. It is
-- committed before other sightings are searched, so that of two sessions that
-- show the same at once, one sees the other.
@parameters
    organization_id, session_id,
    first_picture, second_picture, document,  -- digests; NULL: none
    now
INSERT INTO document_sighting (organization_id, digest, session_id, created_at)
SELECT :organization_id::text, d.digest, :session_id::text, :now::bigint
  FROM (SELECT :first_picture::bytea AS digest
        UNION SELECT :second_picture::bytea
        UNION SELECT :document::bytea) d
 WHERE d.digest IS NOT NULL
ON CONFLICT (organization_id, digest, session_id) DO NOTHING
