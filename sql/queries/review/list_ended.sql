-- What ended reviews, newest first.
@parameters
    organization_id,
    cursor,  -- only older ones; NULL: all
    limit
SELECT id, session_id, action, actor, note, deadline_at, created_at,
       reason_code
  FROM review_entry
 WHERE organization_id = :organization_id
   AND action IN ('approved', 'rejected', 'timed_out', 'cancelled')
   AND id < coalesce(:cursor::text, 'rve_~')
 ORDER BY id DESC
 LIMIT :limit::integer
