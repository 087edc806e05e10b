-- A job is done, if the lease is still the node's.
@parameters organization_id, session_id, id, leased_until, node
DELETE FROM analysis_job
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND id = :id
   AND due_at = :leased_until::bigint AND leased_by = :node::text
