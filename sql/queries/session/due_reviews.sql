-- Sessions whose review is overdue at $1, after ($2, $3), at most $4.
SELECT organization_id, id, review_deadline_at
  FROM verification_session
 WHERE status = 'under_review'
   AND review_deadline_at <= $1::bigint
   AND (review_deadline_at, id) > ($2::bigint, $3::text)
 ORDER BY review_deadline_at, id
 LIMIT $4::integer
