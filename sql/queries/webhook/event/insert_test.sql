-- Inserts a test event of an endpoint, and its one delivery; returns the
-- delivery's id.
@parameters
    organization_id, id, application_id, type, object_id, body, created_at,
    webhook_endpoint_id, trace
WITH added AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at, webhook_endpoint_id, trace)
    VALUES (:organization_id, :id, :application_id::text, :type, :object_id,
            :body, :created_at::bigint, :webhook_endpoint_id, :trace::bytea)
    RETURNING organization_id, id, type, created_at, webhook_endpoint_id
)
@delivery_inserted
  FROM added e
 CROSS JOIN LATERAL (SELECT e.webhook_endpoint_id AS id) w
RETURNING id
