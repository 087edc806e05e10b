-- The reviewer whom the current review of a session is assigned to; NULL: nobody.
@parameters organization_id, session_id
SELECT assignee
  FROM review_entry
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND action IN ('held', 'flagged', 'assigned')
 ORDER BY number DESC
 LIMIT 1
