-- Leases up to :limit due e-mails to a node.
@parameters now, leased_until, node, limit
WITH chosen AS MATERIALIZED (
    SELECT organization_id, session_id, id
      FROM outgoing_mail
     WHERE due_at <= :now::bigint
     ORDER BY due_at, id
     LIMIT :limit::integer
       FOR UPDATE SKIP LOCKED
)
UPDATE outgoing_mail m
   SET due_at = :leased_until::bigint, leased_by = :node::text,
       attempts = attempts + 1
  FROM chosen c
 WHERE m.organization_id = c.organization_id
   AND m.session_id = c.session_id AND m.id = c.id
RETURNING m.organization_id, m.session_id, m.id, m.attempts, m.wrapped_key,
          m.sealed, m.useless_at
