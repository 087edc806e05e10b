-- The holder of a session's current claim.
@parameters organization_id, session_id, now
SELECT reviewer, claimed_at, expires_at
  FROM review_claim
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND expires_at > :now::bigint
