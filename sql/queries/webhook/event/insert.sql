-- Inserts an event, and a delivery for every endpoint that subscribes to it.
@parameters organization_id, id, application_id, type, object_id, body, created_at, trace
WITH added AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at, trace)
    VALUES (:organization_id, :id, :application_id::text, :type, :object_id,
            :body, :created_at::bigint, :trace::bytea)
    RETURNING organization_id, id, application_id, type, created_at
)
@delivery_inserted
  FROM added e
  JOIN webhook_endpoint w ON w.organization_id = e.organization_id
 WHERE w.status = 'enabled'
   AND
@event_subscribed
