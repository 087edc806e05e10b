-- What ended reviews, newest first, from the cursor $2 or NULL.
SELECT id, session_id, action, actor, note, deadline_at, created_at
  FROM review_entry
 WHERE organization_id = $1
   AND action IN ('approved', 'rejected', 'timed_out', 'cancelled')
   AND id < coalesce($2::text, 'rve_~')
 ORDER BY id DESC
 LIMIT $3::integer
