-- The credential that session $2 minted, if it is valid at $3.
SELECT id, method
  FROM credential
 WHERE organization_id = $1 AND session_id = $2 AND revoked_at IS NULL
   AND expires_at > $3::bigint
 ORDER BY id DESC
 LIMIT 1
