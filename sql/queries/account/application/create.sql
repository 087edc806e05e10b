-- No row if the organization does not exist.
@parameters organization_id, id, name, created_at
INSERT INTO application (organization_id, id, name, created_at)
SELECT id, :id, :name, :created_at::bigint
  FROM organization
 WHERE id = :organization_id
RETURNING id
