-- The keys that are published, the newest first.
@parameters now
SELECT k.id, k.algorithm, k.sealed_key, k.public_key, k.created_at,
       k.signs_from, k.ends_at
  FROM oidc_key k
 WHERE k.ends_at IS NULL OR k.ends_at > :now::bigint
 ORDER BY k.signs_from DESC, k.id
