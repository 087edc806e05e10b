INSERT INTO organization (id, name, sandbox, created_at, updated_at)
VALUES ($1, $2, $3::boolean, $4::bigint, $4::bigint)
RETURNING
@organization_columns
