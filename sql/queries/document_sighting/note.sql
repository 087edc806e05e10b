-- Session $2 was shown the pictures $3 and $4 and the document $5, those of them
-- that are there. A commit of its own before it is asked who else was: of two
-- that are shown the same at once, one sees the other.
INSERT INTO document_sighting (organization_id, digest, session_id, created_at)
SELECT $1::text, d.digest, $2::text, $6::bigint
  FROM (SELECT $3::bytea AS digest
        UNION SELECT $4::bytea
        UNION SELECT $5::bytea) d
 WHERE d.digest IS NOT NULL
ON CONFLICT (organization_id, digest, session_id) DO NOTHING
