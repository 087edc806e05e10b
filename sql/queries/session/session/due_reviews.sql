-- Sessions whose review is overdue.
@parameters
    now,
    after_due_at, after_id,  -- only rows after this one, in order
    limit
SELECT organization_id, id, review_deadline_at
  FROM verification_session
 WHERE status = 'under_review'
   AND review_deadline_at <= :now::bigint
   AND (review_deadline_at, id) > (:after_due_at::bigint, :after_id::text)
 ORDER BY review_deadline_at, id
 LIMIT :limit::integer
