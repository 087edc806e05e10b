@parameters organization_id, workflow_id, id
SELECT
@workflow_scenario_columns
  FROM workflow_scenario
 WHERE organization_id = :organization_id AND workflow_id = :workflow_id
   AND id = :id
