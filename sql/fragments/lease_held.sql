-- The row, if its lease until :leased_until is still the node's.
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id
   AND due_at = :leased_until::bigint AND leased_by = :node::text
