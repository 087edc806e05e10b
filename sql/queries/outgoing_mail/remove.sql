-- Sent or given up, if the lease until $4 is still node $5's.
DELETE FROM outgoing_mail
 WHERE organization_id = $1 AND session_id = $2 AND id = $3
   AND due_at = $4::bigint AND leased_by = $5::text
