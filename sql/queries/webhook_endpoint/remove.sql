-- Removes an endpoint and gives up the recoveries for it.
WITH given_up AS (
  UPDATE webhook_recovery
     SET status = 'cancelled', updated_at = $4::bigint,
         finished_at = $4::bigint
   WHERE organization_id = $1 AND webhook_endpoint_id = $2
     AND status = 'running'
)
DELETE FROM webhook_endpoint
 WHERE organization_id = $1 AND id = $2
   AND ($3::text IS NULL OR application_id = $3::text)
