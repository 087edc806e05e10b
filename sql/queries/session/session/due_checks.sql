-- Sessions that wait for passive checks and were created by :now.
@parameters
    now,
    after_due_at, after_id,  -- only rows after this one, in order
    limit
SELECT organization_id, id, created_at
  FROM verification_session
 WHERE status = 'processing' AND current_method IS NULL
   AND created_at <= :now::bigint
   AND (created_at, id) > (:after_due_at::bigint, :after_id::text)
 ORDER BY created_at, id
 LIMIT :limit::integer
