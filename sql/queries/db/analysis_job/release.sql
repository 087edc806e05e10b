-- Gives back what a node had leased.
@parameters node, now
UPDATE analysis_job
   SET due_at = :now::bigint, leased_by = NULL
 WHERE leased_by = :node::text
