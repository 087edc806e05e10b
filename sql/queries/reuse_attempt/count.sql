-- One more attempt at $4, unless there are $5 after $3 already: then there is
-- no row. Two at once meet at the primary key.
INSERT INTO reuse_attempt AS a
       (organization_id, digest, attempted_at, updated_at)
VALUES ($1, $2::bytea, ARRAY[$4::bigint], $4::bigint)
ON CONFLICT (organization_id, digest) DO UPDATE
   SET attempted_at = ARRAY(SELECT t FROM unnest(a.attempted_at) t
                             WHERE t > $3::bigint) || $4::bigint,
       updated_at = $4::bigint
 WHERE (SELECT count(*) FROM unnest(a.attempted_at) t
         WHERE t > $3::bigint) < $5::bigint
RETURNING cardinality(attempted_at)
