-- A test event of the endpoint :webhook_endpoint_id, and its one delivery,
-- whose id is returned. :time_part is the time part of the ids.
@parameters
    organization_id, id, application_id, type, object_id, body, created_at,
    webhook_endpoint_id, time_part
WITH added AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at, webhook_endpoint_id)
    VALUES (:organization_id, :id, :application_id::text, :type, :object_id,
            :body, :created_at::bigint, :webhook_endpoint_id)
    RETURNING organization_id, id, type, created_at, webhook_endpoint_id
)
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                              event_id, event_type, next_attempt_at,
                              created_at, updated_at)
SELECT e.organization_id,
       'whd_' || :time_part::text
              || left(encode(sha256((e.id || e.webhook_endpoint_id)::bytea),
                             'hex'), 16),
       e.webhook_endpoint_id, e.id, e.type, e.created_at, e.created_at,
       e.created_at
  FROM added e
RETURNING id
