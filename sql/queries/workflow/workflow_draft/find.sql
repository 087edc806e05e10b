@parameters organization_id, id
SELECT
@workflow_draft_columns
       , d.definition
@workflow_drafts
 WHERE d.organization_id = :organization_id AND d.id = :id
