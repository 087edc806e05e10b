-- Whether an id is a workflow's, or is reserved for a draft's workflow.
@parameters organization_id, id
SELECT
 WHERE EXISTS (SELECT
                 FROM workflow
                WHERE organization_id = :organization_id AND id = :id)
    OR EXISTS (SELECT
                 FROM workflow_draft
                WHERE organization_id = :organization_id AND workflow_id = :id)
