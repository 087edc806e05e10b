@parameters organization_id, session_id, id
UPDATE liveness_challenge
   SET passed = true
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id
