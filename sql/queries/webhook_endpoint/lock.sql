-- Like find, for a change in the same transaction.
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
 WHERE organization_id = $1 AND id = $2
   AND ($3::text IS NULL OR application_id = $3::text)
   FOR NO KEY UPDATE OF w
