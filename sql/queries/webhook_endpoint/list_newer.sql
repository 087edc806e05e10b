-- One page, upwards from the cursor $3.
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND id > $3::text
 ORDER BY id ASC
 LIMIT $4::integer
