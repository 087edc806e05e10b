-- The oldest attempt since :since.
@parameters organization_id, digest, since
SELECT min(t)
  FROM reuse_attempt a, unnest(a.attempted_at) t
 WHERE a.organization_id = :organization_id AND a.digest = :digest::bytea
   AND t > :since::bigint
