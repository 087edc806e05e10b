-- Stores a decided change of an endpoint that was locked before.
@parameters
    organization_id, id, name, url, enabled_events, status, description,
    metadata, consecutive_failures, failing_since, updated_at
UPDATE webhook_endpoint
   SET name = :name::text, url = :url, enabled_events = :enabled_events::text[],
       status = :status,
       description = :description::text, metadata = :metadata::json,
       consecutive_failures = :consecutive_failures::integer,
       failing_since = :failing_since::bigint,
       updated_at = :updated_at::bigint
 WHERE organization_id = :organization_id AND id = :id
