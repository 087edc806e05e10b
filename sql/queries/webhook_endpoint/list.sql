-- One page, newest first; $3 is the cursor or NULL.
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND ($3::text IS NULL OR id < $3::text)
 ORDER BY id DESC
 LIMIT $4::integer
