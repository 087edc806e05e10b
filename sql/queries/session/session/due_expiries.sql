-- Sessions that have expired.
@parameters
    now,
    after_due_at, after_id,  -- only rows after this one, in order
    limit
SELECT organization_id, id, expires_at
  FROM verification_session
 WHERE status IN
@session_expiring
   AND expires_at <= :now::bigint
   AND (expires_at, id) > (:after_due_at::bigint, :after_id::text)
 ORDER BY expires_at, id
 LIMIT :limit::integer
