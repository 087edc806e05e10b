-- Like create_guessed, with the stored answer of an idempotent request. Waits
-- for another request with the same key; when any record is there, valid or
-- not, nothing is written and there is no row.
WITH reached AS MATERIALIZED (
@session_reached
), kept AS (
    INSERT INTO idempotency_record (organization_id, application_id, route, key,
                                    request_digest, status, sealed_response,
                                    created_at, session_id)
    SELECT $1::text, coalesce($3::text, ''), $61::text, $62::text, $63::bytea,
           $64::integer, $65::bytea, $17::bigint, $2::text
     WHERE
@session_guess
    ON CONFLICT DO NOTHING
    RETURNING key
), session AS (
@session_inserted
      FROM kept
    RETURNING organization_id, id, application_id, created_at
@session_announced
