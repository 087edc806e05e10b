-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@workflow_draft_columns
@workflow_drafts
 WHERE d.organization_id = :organization_id
   AND d.id >= :lower::text AND d.id < :upper::text
 ORDER BY d.id DESC
 LIMIT :limit::integer
