@parameters
    organization_id,
    live  -- true: without retired ones
SELECT id, application_id, name, current_version_id, created_at, updated_at,
       retired_at
  FROM workflow
 WHERE organization_id = :organization_id
   AND (NOT :live::boolean OR retired_at IS NULL)
 ORDER BY id
