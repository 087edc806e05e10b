-- A version with its definition.
@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT
@workflow_version_columns
       , v.definition, v.compiled
  FROM workflow_version v
  JOIN workflow w
    ON w.organization_id = v.organization_id AND w.id = v.workflow_id
 WHERE v.organization_id = :organization_id AND v.id = :id
   AND
@workflow_in_scope
