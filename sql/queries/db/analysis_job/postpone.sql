-- Retries a job at :due_at, if the lease is still the node's.
@parameters
    organization_id, session_id, id, leased_until, node, due_at,
    untried  -- true: the attempt does not count
UPDATE analysis_job
   SET due_at = :due_at::bigint, leased_by = NULL,
       attempts = attempts - CASE WHEN :untried::boolean THEN 1 ELSE 0 END
@lease_held
