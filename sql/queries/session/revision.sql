-- Whether anything has happened to a session; cheap, for who waits for it.
SELECT revision
  FROM verification_session
 WHERE organization_id = $1 AND id = $2
