-- Ends a running job; any other is unchanged.
@parameters organization_id, id, now
WITH job AS (
  UPDATE workflow_replay r
     SET status = 'stopped', updated_at = :now::bigint, ended_at = :now::bigint,
         leased_by = NULL, leased_until = NULL
   WHERE r.organization_id = :organization_id AND r.id = :id
     AND r.ended_at IS NULL
  RETURNING r.organization_id, r.id
)
@shadow_waited
