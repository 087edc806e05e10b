-- The valid credential that a session minted.
SELECT id, method
  FROM credential
 WHERE organization_id = $1 AND session_id = $2 AND revoked_at IS NULL
   AND expires_at > $3::bigint
 ORDER BY id DESC
 LIMIT 1
