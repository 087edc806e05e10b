@parameters organization_id, webhook_endpoint_id, id
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = :organization_id AND d.id = :id
   AND d.webhook_endpoint_id = :webhook_endpoint_id
