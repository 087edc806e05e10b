SELECT id, name, created_at
  FROM application
 WHERE organization_id = $1
 ORDER BY id
