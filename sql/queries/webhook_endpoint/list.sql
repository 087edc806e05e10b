-- One page, newest first; $3 is the cursor or NULL.
SELECT id, application_id, name, url, enabled_events, status, description,
       metadata, created_at, updated_at
  FROM webhook_endpoint
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND ($3::text IS NULL OR id < $3::text)
 ORDER BY id DESC
 LIMIT $4::integer
