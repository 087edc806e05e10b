-- A reviewer gives a session back.
@parameters organization_id, session_id, reviewer
DELETE FROM review_claim
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND reviewer = :reviewer
