-- The actions that ended reviews, newest first, with the customer's reference
-- of the session.
@parameters
    organization_id,
    cursor,  -- only older ones; NULL: all
    limit
SELECT e.id, e.session_id, e.action, e.actor, e.note, e.deadline_at,
       e.created_at, e.reason_code, e.overruled, e.assignee, s.client_reference_id
  FROM review_entry e
  LEFT JOIN verification_session s
         ON s.organization_id = e.organization_id AND s.id = e.session_id
 WHERE e.organization_id = :organization_id
   AND e.action IN ('approved', 'rejected', 'timed_out', 'cancelled')
   AND e.id < coalesce(:cursor::text, 'rve_~')
 ORDER BY e.id DESC
 LIMIT :limit::integer
