-- One page of a workflow's drafts, newest first.
@reversed list_of_workflow_newer
@parameters
    organization_id, workflow_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@workflow_draft_columns
@workflow_drafts
 WHERE d.organization_id = :organization_id AND d.workflow_id = :workflow_id
   AND d.id >= :lower::text AND d.id < :upper::text
 ORDER BY d.id DESC
 LIMIT :limit::integer
