-- The oldest attempt after $3.
SELECT min(t)
  FROM reuse_attempt a, unnest(a.attempted_at) t
 WHERE a.organization_id = $1 AND a.digest = $2::bytea AND t > $3::bigint
