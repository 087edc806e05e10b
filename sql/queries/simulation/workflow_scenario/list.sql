-- One page of a workflow's scenarios, newest first.
@reversed list_newer
@parameters
    organization_id, workflow_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@workflow_scenario_columns
  FROM workflow_scenario
 WHERE organization_id = :organization_id AND workflow_id = :workflow_id
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
