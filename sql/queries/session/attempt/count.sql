-- Counts one more attempt; no row if there are :limit since :since already.
-- Concurrent attempts meet at the primary key. The table is named after the
-- first kind that it counted; now it has every kind of
-- store/session/attempt_limit.h.
@parameters organization_id, digest, since, now, limit
INSERT INTO reuse_attempt AS a
       (organization_id, digest, attempted_at, updated_at)
VALUES (:organization_id, :digest::bytea, ARRAY[:now::bigint], :now::bigint)
ON CONFLICT (organization_id, digest) DO UPDATE
   SET attempted_at = ARRAY(SELECT t FROM unnest(a.attempted_at) t
                             WHERE t > :since::bigint) || :now::bigint,
       updated_at = :now::bigint
 WHERE (SELECT count(*) FROM unnest(a.attempted_at) t
         WHERE t > :since::bigint) < :limit::bigint
RETURNING cardinality(attempted_at)
