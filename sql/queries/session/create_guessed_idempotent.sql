-- Like create_guessed, with the stored answer of an idempotent request. Waits
-- for another request with the same key; when any record is there, valid or
-- not, nothing is written and there is no row.
@parameters
    @session_columns,
    answer, answer_version,
    event_id, event_type, event_body,
    @expected_key,
    @expected_standing,
    route, idempotency_key, request_digest, response_status, sealed_response
WITH endpoint AS MATERIALIZED (
@enabled_endpoints
), kept AS (
    INSERT INTO idempotency_record (organization_id, application_id, route, key,
                                    request_digest, status, sealed_response,
                                    created_at, session_id)
    SELECT :organization_id::text, coalesce(:application_id::text, ''),
           :route::text, :idempotency_key::text, :request_digest::bytea,
           :response_status::integer, :sealed_response::bytea,
           :created_at::bigint, :id::text
     WHERE
@session_guess
    ON CONFLICT DO NOTHING
    RETURNING key
), session AS (
@session_inserted
      FROM kept
    RETURNING organization_id, id, application_id, created_at
@session_announced
