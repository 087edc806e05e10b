-- The last reviewer who claimed a session, while its review is open.
@parameters organization_id, session_id
SELECT reviewer
  FROM review_claim
 WHERE organization_id = :organization_id AND session_id = :session_id
