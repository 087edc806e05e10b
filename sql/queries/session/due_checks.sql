-- Sessions created by $1 that rest at passive checks, after ($2, $3), at
-- most $4.
SELECT organization_id, id, created_at
  FROM verification_session
 WHERE status = 'processing' AND current_method IS NULL
   AND created_at <= $1::bigint
   AND (created_at, id) > ($2::bigint, $3::text)
 ORDER BY created_at, id
 LIMIT $4::integer
