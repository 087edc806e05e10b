-- Whether anything has happened to a session; cheap, for who waits for it.
@parameters organization_id, id
SELECT revision
  FROM verification_session
 WHERE organization_id = :organization_id AND id = :id
