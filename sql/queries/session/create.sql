-- A session, its first event and that event's deliveries, and the stored answer
-- of an idempotent request, in one statement: one round trip and one commit.
-- Without an idempotency key $50 is NULL. The insertion waits for another one
-- of the same key; when a valid record is there, nothing is written and there
-- is no row.
WITH reached AS MATERIALIZED (
@session_reached
), kept AS (
    INSERT INTO idempotency_record AS k
           (organization_id, application_id, route, key, request_digest,
            status, sealed_response, created_at, session_id)
    SELECT $1::text, coalesce($3::text, ''), $49::text, $50::text, $51::bytea,
           $52::integer, $53::bytea, $17::bigint, $2::text
     WHERE $50::text IS NOT NULL
    ON CONFLICT (organization_id, application_id, route, key) DO UPDATE
       SET request_digest = excluded.request_digest,
           status = excluded.status,
           sealed_response = excluded.sealed_response,
           created_at = excluded.created_at,
           session_id = excluded.session_id
     WHERE k.created_at <= $54::bigint
    RETURNING key
), session AS (
@session_inserted
     WHERE $50::text IS NULL OR EXISTS (SELECT FROM kept)
    RETURNING organization_id, id, application_id, created_at
@session_announced
