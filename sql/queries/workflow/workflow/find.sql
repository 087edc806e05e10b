@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT
@workflow_columns
  FROM workflow w
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.id = w.current_version_id
 WHERE w.organization_id = :organization_id AND w.id = :id
   AND
@workflow_in_scope
