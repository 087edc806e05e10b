@parameters organization_id, id, node, now, error
WITH job AS (
  UPDATE workflow_replay
     SET status = 'failed', error = :error::text, ended_at = :now::bigint,
         updated_at = :now::bigint, leased_by = NULL, leased_until = NULL
   WHERE organization_id = :organization_id AND id = :id
     AND status = 'running' AND leased_by = :node::text
  RETURNING organization_id, id
)
@shadow_waited
