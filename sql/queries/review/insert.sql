-- The next entry of a session's reviews, which is locked. Whoever had claimed
-- the session has it no longer: something was done about it.
@parameters
    organization_id, session_id, id, action, actor, note, deadline_at,
    created_at, reason_code
WITH released AS (
    DELETE FROM review_claim
     WHERE organization_id = :organization_id::text
       AND session_id = :session_id::text
)
INSERT INTO review_entry (organization_id, session_id, number, id, action,
                          actor, note, deadline_at, created_at, reason_code)
SELECT :organization_id::text, :session_id::text,
       1 + coalesce((SELECT max(number)
                       FROM review_entry
                      WHERE organization_id = :organization_id::text
                        AND session_id = :session_id::text), 0),
       :id::text, :action::text, :actor::text, :note::text,
       :deadline_at::bigint, :created_at::bigint, :reason_code::text
