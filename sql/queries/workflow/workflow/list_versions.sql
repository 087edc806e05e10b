-- One page of a workflow's versions, newest first.
@reversed list_versions_newer
@parameters
    organization_id, workflow_id,
    application_id,  -- of the key; NULL: all
    lower, upper,    -- lower <= id < upper
    limit
SELECT
@workflow_version_columns
  FROM workflow w
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.workflow_id = w.id
 WHERE w.organization_id = :organization_id AND w.id = :workflow_id
   AND
@workflow_in_scope
   AND v.id >= :lower::text AND v.id < :upper::text
 ORDER BY v.id DESC
 LIMIT :limit::integer
