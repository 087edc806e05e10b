-- No row when the organization does not exist.
INSERT INTO application (organization_id, id, name, created_at)
SELECT id, $2, $3, $4::bigint
  FROM organization
 WHERE id = $1
RETURNING id
