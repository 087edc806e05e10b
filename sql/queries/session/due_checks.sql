-- Sessions that rest at passive checks since before $1, after ($2, $3), at most
-- $4.
SELECT organization_id, id, updated_at
  FROM verification_session
 WHERE status = 'processing' AND current_method IS NULL
   AND updated_at <= $1::bigint
   AND (updated_at, id) > ($2::bigint, $3::text)
 ORDER BY updated_at, id
 LIMIT $4::integer
