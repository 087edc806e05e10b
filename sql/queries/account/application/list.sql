@parameters organization_id
SELECT id, name, created_at, retired_at
  FROM application
 WHERE organization_id = :organization_id
 ORDER BY id
