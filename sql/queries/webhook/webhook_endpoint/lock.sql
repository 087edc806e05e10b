-- Like find, but locks it for a change in the same transaction.
@parameters organization_id, id, application_id
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
@in_scope
   FOR NO KEY UPDATE OF w
