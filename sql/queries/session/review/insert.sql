-- Appends an entry to the reviews of a session, which is locked. It ends the
-- claim of the session, because something was done about it; notes and
-- assignments do not. The duration of claims is kept until the review ends (claim.sql).
@parameters
    organization_id, session_id, id, action, actor, note, deadline_at,
    created_at, reason_code, overruled, assignee
WITH released AS (
    DELETE FROM review_claim
     WHERE organization_id = :organization_id::text
       AND session_id = :session_id::text
       AND :action::text IN ('approved', 'rejected', 'timed_out', 'cancelled')
), ended AS (
    UPDATE review_claim
       SET expires_at = least(expires_at, :created_at::bigint)
     WHERE organization_id = :organization_id::text
       AND session_id = :session_id::text
       AND :action::text NOT IN ('approved', 'rejected', 'timed_out',
                                 'cancelled', 'noted', 'assigned')
)
INSERT INTO review_entry (organization_id, session_id, number, id, action,
                          actor, note, deadline_at, created_at, reason_code,
                          overruled, assignee)
SELECT :organization_id::text, :session_id::text,
       1 + coalesce((SELECT max(number)
                       FROM review_entry
                      WHERE organization_id = :organization_id::text
                        AND session_id = :session_id::text), 0),
       :id::text, :action::text, :actor::text, :note::text,
       :deadline_at::bigint, :created_at::bigint, :reason_code::text,
       :overruled::text[], :assignee::text
