-- An event, and a delivery for every enabled endpoint that subscribes to it:
-- the organization's and its application's. The delivery's id has the time of
-- its event, :time_part, and what follows from the pair: there can be no second
-- one.
@parameters
    organization_id, id, application_id, type, object_id, body, created_at,
    time_part
WITH added AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at)
    VALUES (:organization_id, :id, :application_id::text, :type, :object_id,
            :body, :created_at::bigint)
    RETURNING organization_id, id, application_id, type, created_at
)
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                              event_id, event_type, next_attempt_at,
                              created_at, updated_at)
SELECT e.organization_id,
       'whd_' || :time_part::text
              || left(encode(sha256((e.id || w.id)::bytea), 'hex'), 16),
       w.id, e.id, e.type, e.created_at, e.created_at, e.created_at
  FROM added e
  JOIN webhook_endpoint w ON w.organization_id = e.organization_id
 WHERE w.status = 'enabled'
   AND (w.application_id IS NULL OR w.application_id = e.application_id)
   AND (w.enabled_events @> ARRAY[e.type] OR w.enabled_events @> '{*}')
