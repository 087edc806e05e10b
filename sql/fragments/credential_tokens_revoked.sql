-- Revokes the tokens of the credentials whose ids are in `revoked`.
UPDATE vp_token
   SET revoked_at = :now::bigint
 WHERE organization_id = :organization_id
   AND credential_id IN (SELECT id FROM revoked)
   AND revoked_at IS NULL
