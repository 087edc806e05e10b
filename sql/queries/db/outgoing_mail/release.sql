-- Releases the leases of a node.
@parameters node, now
UPDATE outgoing_mail
   SET due_at = :now::bigint, leased_by = NULL
 WHERE leased_by = :node::text
