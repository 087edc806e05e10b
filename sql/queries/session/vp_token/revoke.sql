-- Revokes a token of any organization, unless it is revoked already; returns
-- its credential.
@parameters digest, now
UPDATE vp_token t
   SET revoked_at = coalesce(t.revoked_at, :now::bigint)
 WHERE t.organization_id IN (SELECT o.id FROM organization o)
   AND t.digest = :digest::bytea
RETURNING t.credential_id
