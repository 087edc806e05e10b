-- One page, upwards from the cursor $3.
SELECT id, application_id, name, url, enabled_events, status, description,
       metadata, created_at, updated_at
  FROM webhook_endpoint
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND id > $3::text
 ORDER BY id ASC
 LIMIT $4::integer
