@parameters now
DELETE FROM oidc_key
 WHERE ends_at <= :now::bigint
