-- A reviewer releases a session. The duration of the claim is kept (claim.sql).
@parameters organization_id, session_id, reviewer, now
UPDATE review_claim
   SET expires_at = :now::bigint
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND reviewer = :reviewer AND expires_at > :now::bigint
