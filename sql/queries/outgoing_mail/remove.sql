-- An e-mail is sent or given up, if the lease is still the node's.
@parameters organization_id, session_id, id, leased_until, node
DELETE FROM outgoing_mail
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id
   AND due_at = :leased_until::bigint AND leased_by = :node::text
