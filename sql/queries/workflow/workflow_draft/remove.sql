-- Removes a draft, and the scenarios of a workflow that has nothing else left.
@parameters organization_id, id
WITH removed AS (
    DELETE FROM workflow_draft
     WHERE organization_id = :organization_id AND id = :id
    RETURNING organization_id, workflow_id
)
DELETE FROM workflow_scenario s
 USING removed r
 WHERE s.organization_id = r.organization_id AND s.workflow_id = r.workflow_id
   AND NOT EXISTS (SELECT
                     FROM workflow w
                    WHERE w.organization_id = r.organization_id
                      AND w.id = r.workflow_id)
   AND NOT EXISTS (SELECT
                     FROM workflow_draft d
                    WHERE d.organization_id = r.organization_id
                      AND d.workflow_id = r.workflow_id AND d.id <> :id)
