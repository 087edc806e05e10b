-- All that was done about a session's reviews, in order.
SELECT id, session_id, action, actor, note, deadline_at, created_at
  FROM review_entry
 WHERE organization_id = $1 AND session_id = $2
 ORDER BY number
