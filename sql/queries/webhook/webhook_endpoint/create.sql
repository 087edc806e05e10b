-- No row if the organization has its 50 endpoints already.
@parameters
    organization_id, id, application_id, name, url, enabled_events,
    description, metadata, sealed_secret, created_at
INSERT INTO webhook_endpoint (organization_id, id, application_id, name, url,
                              enabled_events, status, description, metadata,
                              sealed_secret, created_at, updated_at)
SELECT :organization_id::text, :id, :application_id::text, :name::text, :url,
       :enabled_events::text[], 'enabled', :description::text,
       :metadata::json, :sealed_secret::bytea, :created_at::bigint,
       :created_at::bigint
 WHERE (SELECT count(*)
          FROM webhook_endpoint
         WHERE organization_id = :organization_id::text) < 50
RETURNING id
