-- Retries an e-mail at :due_at, if the lease is still the node's.
@parameters organization_id, session_id, id, leased_until, node, due_at
UPDATE outgoing_mail
   SET due_at = :due_at::bigint, leased_by = NULL
@lease_held
