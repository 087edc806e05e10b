-- Leases up to $4 due jobs for node $3 until $2; $1 is now.
WITH chosen AS MATERIALIZED (
    SELECT organization_id, session_id, id
      FROM analysis_job
     WHERE due_at <= $1::bigint
     ORDER BY due_at, id
     LIMIT $4::integer
       FOR UPDATE SKIP LOCKED
)
UPDATE analysis_job j
   SET due_at = $2::bigint, leased_by = $3::text, attempts = attempts + 1
  FROM chosen c
 WHERE j.organization_id = c.organization_id
   AND j.session_id = c.session_id AND j.id = c.id
RETURNING j.organization_id, j.session_id, j.id, j.method, j.submission,
          j.sides, j.attempts
