-- Releases the leases of a node.
@parameters node, now
UPDATE analysis_job
   SET due_at = :now::bigint, leased_by = NULL
 WHERE leased_by = :node::text
