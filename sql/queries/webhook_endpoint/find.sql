-- $3 is the application of the key, or NULL for an organization-wide key.
SELECT id, application_id, name, url, enabled_events, status, description,
       metadata, created_at, updated_at
  FROM webhook_endpoint
 WHERE organization_id = $1 AND id = $2
   AND ($3::text IS NULL OR application_id = $3::text)
