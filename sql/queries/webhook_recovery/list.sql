-- The last $2 recoveries of an endpoint, newest first, for the operator.
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE webhook_endpoint_id = $1
 ORDER BY id DESC
 LIMIT $2::integer
