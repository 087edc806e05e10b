-- Leases up to $4 due e-mails for node $3 until $2; $1 is now.
WITH chosen AS MATERIALIZED (
    SELECT organization_id, session_id, id
      FROM outgoing_mail
     WHERE due_at <= $1::bigint
     ORDER BY due_at, id
     LIMIT $4::integer
       FOR UPDATE SKIP LOCKED
)
UPDATE outgoing_mail m
   SET due_at = $2::bigint, leased_by = $3::text, attempts = attempts + 1
  FROM chosen c
 WHERE m.organization_id = c.organization_id
   AND m.session_id = c.session_id AND m.id = c.id
RETURNING m.organization_id, m.session_id, m.id, m.attempts, m.wrapped_key,
          m.sealed
