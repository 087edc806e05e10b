-- A new version, and the workflow that points to it. No row when the
-- organization or the application does not exist, or when a workflow that is
-- not new ($9) does not.
WITH owner AS (
    SELECT o.id
      FROM organization o
     WHERE o.id = $1
       AND ($4::text IS NULL
            OR EXISTS (SELECT FROM application a
                        WHERE a.organization_id = o.id AND a.id = $4::text))
       AND ($9::boolean
            OR EXISTS (SELECT FROM workflow w
                        WHERE w.organization_id = o.id AND w.id = $2))
), published AS (
    INSERT INTO workflow (organization_id, id, application_id, name,
                          current_version_id, created_at, updated_at)
    SELECT id, $2, $4::text, $5, $3, $8::bigint, $8::bigint
      FROM owner
    ON CONFLICT (organization_id, id) DO UPDATE
       SET name = excluded.name,
           application_id = coalesce(excluded.application_id,
                                     workflow.application_id),
           current_version_id = excluded.current_version_id,
           updated_at = excluded.updated_at
    RETURNING organization_id, id, current_version_id
)
INSERT INTO workflow_version (organization_id, id, workflow_id, definition,
                              compiled, created_at)
SELECT organization_id, current_version_id, id, $6::json, $7::json, $8::bigint
  FROM published
RETURNING id
