-- Open sessions whose time is over at $1, after ($2, $3), at most $4.
SELECT organization_id, id, expires_at
  FROM verification_session
 WHERE status IN ('created', 'pending', 'processing', 'requires_input')
   AND expires_at <= $1::bigint
   AND (expires_at, id) > ($2::bigint, $3::text)
 ORDER BY expires_at, id
 LIMIT $4::integer
