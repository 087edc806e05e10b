-- One page of an organization's simulation jobs, newest first. Their number is
-- limited (create.sql), so filters need no index.
@reversed list_newer
@parameters
    organization_id,
    workflow_id,   -- NULL: any
    kind,          -- past or shadow; NULL: any
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@workflow_replay_columns
  FROM workflow_replay r
 WHERE r.organization_id = :organization_id
   AND (:workflow_id::text IS NULL OR r.workflow_id = :workflow_id::text)
   AND (:kind::text IS NULL OR r.is_shadow = (:kind::text = 'shadow'))
   AND r.id >= :lower::text AND r.id < :upper::text
 ORDER BY r.id DESC
 LIMIT :limit::integer
