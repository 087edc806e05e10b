@parameters organization_id
SELECT id, application_id, name, current_version_id, created_at, updated_at
  FROM workflow
 WHERE organization_id = :organization_id
 ORDER BY id
