-- No row if the application is not the organization's.
@parameters
    organization_id, id, workflow_id, application_id, base_version_id,
    definition, editor, created_at
INSERT INTO workflow_draft (organization_id, id, workflow_id, application_id,
                            base_version_id, definition, revision, editors,
                            created_by, updated_by, created_at, updated_at)
SELECT :organization_id::text, :id::text, :workflow_id::text,
       :application_id::text, :base_version_id::text, :definition::json, 1,
       ARRAY[:editor::text], :editor::text, :editor::text,
       :created_at::bigint, :created_at::bigint
 WHERE :application_id::text IS NULL
    OR EXISTS (SELECT
                 FROM application a
                WHERE a.organization_id = :organization_id::text
                  AND a.id = :application_id::text)
RETURNING id
