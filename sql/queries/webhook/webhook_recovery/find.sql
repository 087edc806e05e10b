@parameters organization_id, webhook_endpoint_id, id
SELECT
@webhook_recovery_columns
  FROM webhook_recovery
 WHERE organization_id = :organization_id AND id = :id
   AND webhook_endpoint_id = :webhook_endpoint_id
