-- A session, its first event and that event's deliveries, and the stored answer
-- of an idempotent request, in one statement: one round trip and one commit.
-- Without an idempotency key $48 is NULL. The insertion waits for another one
-- of the same key; when a valid record is there, nothing is written and there
-- is no row. The number of deliveries is returned.
WITH kept AS (
    INSERT INTO idempotency_record AS k
           (organization_id, application_id, route, key, request_digest,
            status, sealed_response, created_at)
    SELECT $1::text, coalesce($3::text, ''), $47::text, $48::text, $49::bytea,
           $50::integer, $51::bytea, $17::bigint
     WHERE $48::text IS NOT NULL
    ON CONFLICT (organization_id, application_id, route, key) DO UPDATE
       SET request_digest = excluded.request_digest,
           status = excluded.status,
           sealed_response = excluded.sealed_response,
           created_at = excluded.created_at
     WHERE k.created_at <= $52::bigint
    RETURNING key
), session AS (
    INSERT INTO verification_session (
@session_columns
    )
    SELECT
@session_values
     WHERE $48::text IS NULL OR EXISTS (SELECT FROM kept)
    RETURNING organization_id, id, application_id, created_at
), announced AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at)
    SELECT organization_id, $43::text, application_id, $44::text, id, $45::text,
           created_at
      FROM session
    RETURNING organization_id, id, application_id, type, created_at
), queued AS (
    INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                                  event_id, event_type, next_attempt_at,
                                  created_at, updated_at)
    SELECT e.organization_id,
           'whd_' || $46::text
                  || left(encode(sha256((e.id || w.id)::bytea), 'hex'), 16),
           w.id, e.id, e.type, e.created_at, e.created_at, e.created_at
      FROM announced e
      JOIN webhook_endpoint w ON w.organization_id = e.organization_id
     WHERE w.status = 'enabled'
       AND (w.application_id IS NULL OR w.application_id = e.application_id)
       AND (w.enabled_events @> ARRAY[e.type] OR w.enabled_events @> '{*}')
    RETURNING id
)
SELECT (SELECT count(*) FROM queued)
  FROM session
