-- The number of drafts of the organization and of one workflow.
@parameters organization_id, workflow_id
SELECT count(*), count(*) FILTER (WHERE workflow_id = :workflow_id)
  FROM workflow_draft
 WHERE organization_id = :organization_id
