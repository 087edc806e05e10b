-- A new version, and the workflow that points to it. No row if the organization
-- or the application does not exist, or if a workflow that is not new does not.
@parameters
    organization_id, id, version_id, application_id, name, definition,
    compiled, created_at, published_by,
    is_new  -- true: the workflow need not exist
WITH owner AS (
    SELECT o.id
      FROM organization o
     WHERE o.id = :organization_id
       AND (:application_id::text IS NULL
            OR EXISTS (SELECT FROM application a
                        WHERE a.organization_id = o.id
                          AND a.id = :application_id::text))
       AND (:is_new::boolean
            OR EXISTS (SELECT FROM workflow w
                        WHERE w.organization_id = o.id AND w.id = :id))
), published AS (
    INSERT INTO workflow (organization_id, id, application_id, name,
                          current_version_id, created_at, updated_at)
    SELECT id, :id, :application_id::text, :name, :version_id,
           :created_at::bigint, :created_at::bigint
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
                              compiled, created_at, published_by)
SELECT organization_id, current_version_id, id, :definition::json,
       :compiled::json, :created_at::bigint, :published_by::text
  FROM published
RETURNING id
