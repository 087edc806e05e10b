@parameters id, name, sandbox, created_at
INSERT INTO organization (id, name, sandbox, created_at, updated_at)
VALUES (:id, :name, :sandbox::boolean, :created_at::bigint, :created_at::bigint)
RETURNING
@organization_columns
