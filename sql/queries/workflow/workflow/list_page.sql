-- One page, newest first.
@reversed list_page_newer
@parameters
    organization_id,
    application_id,  -- whose operators see it; NULL: all
    lower, upper,    -- lower <= id < upper
    limit
SELECT
@workflow_columns
  FROM workflow w
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.id = w.current_version_id
 WHERE w.organization_id = :organization_id
   AND
@workflow_in_scope
   AND w.id >= :lower::text AND w.id < :upper::text
 ORDER BY w.id DESC
 LIMIT :limit::integer
