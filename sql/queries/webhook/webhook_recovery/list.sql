-- One page of the recoveries of an endpoint, newest first.
@reversed list_newer
@parameters
    organization_id, webhook_endpoint_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE organization_id = :organization_id
   AND webhook_endpoint_id = :webhook_endpoint_id
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
