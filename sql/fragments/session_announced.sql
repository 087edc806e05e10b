-- Inserts the first event of the row of `session` and its deliveries to those
-- of the `endpoint`s that subscribe to it. One row if there is a session:
-- whether anything was queued.
), announced AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at, trace)
    SELECT organization_id, :event_id::text, application_id, :event_type::text,
           id, :event_body::text, created_at, :event_trace::bytea
      FROM session
    RETURNING organization_id, id, application_id, type, created_at
), queued AS (
@delivery_inserted
  FROM announced e, endpoint w
 WHERE
@event_subscribed
RETURNING id
)
SELECT EXISTS (SELECT FROM queued)
  FROM session
