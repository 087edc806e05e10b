-- One page of an organization's jobs of the simulator, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- ids from the one on and before the other
    limit
SELECT
@workflow_replay_columns
  FROM workflow_replay r
 WHERE r.organization_id = :organization_id
   AND r.id >= :lower::text AND r.id < :upper::text
 ORDER BY r.id DESC
 LIMIT :limit::integer
