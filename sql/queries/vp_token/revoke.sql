-- The token with the digest $1, whosever it is, at $2 unless it is revoked
-- already; its credential.
UPDATE vp_token t
   SET revoked_at = coalesce(t.revoked_at, $2::bigint)
 WHERE t.organization_id IN (SELECT o.id FROM organization o)
   AND t.digest = $1::bytea
RETURNING t.credential_id
