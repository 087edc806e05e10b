-- All actions on a session's reviews, in order.
@parameters organization_id, session_id
SELECT id, session_id, action, actor, note, deadline_at, created_at,
       reason_code, overruled, assignee
  FROM review_entry
 WHERE organization_id = :organization_id AND session_id = :session_id
 ORDER BY number
