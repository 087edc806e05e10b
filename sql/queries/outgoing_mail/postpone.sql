-- Tried again at $6, if the lease until $4 is still node $5's.
UPDATE outgoing_mail
   SET due_at = $6::bigint, leased_by = NULL
 WHERE organization_id = $1 AND session_id = $2 AND id = $3
   AND due_at = $4::bigint AND leased_by = $5::text
