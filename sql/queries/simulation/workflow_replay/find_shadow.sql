-- The newest shadow of a workflow; if one is running, it is that one.
@parameters organization_id, workflow_id
SELECT
@workflow_replay_columns
  FROM workflow_replay r
 WHERE r.organization_id = :organization_id AND r.workflow_id = :workflow_id
   AND r.is_shadow
 ORDER BY r.id DESC
 LIMIT 1
