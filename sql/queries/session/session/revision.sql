-- Whether a session has changed; cheap, for requests that wait for it.
@parameters organization_id, id
SELECT revision
  FROM verification_session
 WHERE organization_id = :organization_id AND id = :id
