-- Who opened the review that a session is under; NULL: the workflow.
@parameters organization_id, session_id
SELECT actor
  FROM review_entry
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND action IN ('held', 'flagged')
 ORDER BY number DESC
 LIMIT 1
