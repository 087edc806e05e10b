-- The last recoveries of an endpoint, newest first, for the operator. Few exist
-- at any time, so no index is kept for it.
@parameters webhook_endpoint_id, limit
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE webhook_endpoint_id = :webhook_endpoint_id
 ORDER BY id DESC
 LIMIT :limit::integer
