-- The last $2 recoveries of endpoint $1, newest first, for the operator. Few
-- exist at any time, so no index is kept for it.
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE webhook_endpoint_id = $1
 ORDER BY id DESC
 LIMIT $2::integer
