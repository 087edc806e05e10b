-- The credential that a session minted, if it is valid.
@parameters organization_id, session_id, now
SELECT id, method
  FROM credential
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND revoked_at IS NULL
   AND expires_at > :now::bigint
 ORDER BY id DESC
 LIMIT 1
