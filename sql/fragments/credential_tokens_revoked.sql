-- Revokes the tokens of the credentials that `revoked` has the ids of, at $3.
UPDATE vp_token
   SET revoked_at = $3::bigint
 WHERE organization_id = $1
   AND credential_id IN (SELECT id FROM revoked)
   AND revoked_at IS NULL
