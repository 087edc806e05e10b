@parameters organization_id, id
SELECT
@workflow_replay_columns
  FROM workflow_replay r
 WHERE r.organization_id = :organization_id AND r.id = :id
