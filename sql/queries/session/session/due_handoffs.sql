-- Sessions whose phone was silent for too long. Few sessions are held by a
-- phone at a time, so all of them are examined.
@parameters
    now,
    after_due_at, after_id,  -- only rows after this one, in order
    limit
SELECT organization_id, session_id, idle_at
  FROM handoff
 WHERE held
   AND idle_at <= :now::bigint
   AND (idle_at, session_id) > (:after_due_at::bigint, :after_id::text)
 ORDER BY idle_at, session_id
 LIMIT :limit::integer
