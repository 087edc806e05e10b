-- The first event of the row of `session` and its deliveries to the endpoints
-- of `reached`. One row when there is a session: whether anything was queued.
), announced AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at)
    SELECT organization_id, :event_id::text, application_id, :event_type::text,
           id, :event_body::text,
           created_at
      FROM session
    RETURNING organization_id, id, type, created_at
), queued AS (
    INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                                  event_id, event_type, next_attempt_at,
                                  created_at, updated_at)
    SELECT e.organization_id,
           'whd_' || :event_time_part::text
                  || left(encode(sha256((e.id || w.id)::bytea), 'hex'), 16),
           w.id, e.id, e.type, e.created_at, e.created_at, e.created_at
      FROM announced e, reached w
     WHERE w.enabled_events @> ARRAY[e.type] OR w.enabled_events @> '{*}'
    RETURNING id
)
SELECT EXISTS (SELECT FROM queued)
  FROM session
