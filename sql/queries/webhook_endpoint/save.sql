-- Writes what a change of an endpoint, locked before, has decided.
UPDATE webhook_endpoint
   SET name = $3::text, url = $4, enabled_events = $5::text[], status = $6,
       description = $7::text, metadata = $8::json,
       consecutive_failures = $9::integer, failing_since = $10::bigint,
       updated_at = $11::bigint
 WHERE organization_id = $1 AND id = $2
