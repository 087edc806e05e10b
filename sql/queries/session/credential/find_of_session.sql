-- The credential that a session minted, if it is valid.
@parameters organization_id, session_id, now
SELECT c.id, c.method
  FROM credential c
 WHERE c.organization_id = :organization_id AND c.session_id = :session_id
   AND
@credential_valid
 ORDER BY c.id DESC
 LIMIT 1
