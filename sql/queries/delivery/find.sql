SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = $1 AND d.id = $3 AND d.webhook_endpoint_id = $2
