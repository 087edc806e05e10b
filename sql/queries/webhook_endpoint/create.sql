-- No row when the organization already has its 50 endpoints.
INSERT INTO webhook_endpoint (organization_id, id, application_id, name, url,
                              enabled_events, status, description, metadata,
                              sealed_secret, created_at, updated_at)
SELECT $1::text, $2, $3::text, $4::text, $5, $6::text[], 'enabled', $7::text,
       $8::json, $9::bytea, $10::bigint, $10::bigint
 WHERE (SELECT count(*)
          FROM webhook_endpoint
         WHERE organization_id = $1::text) < 50
RETURNING id
