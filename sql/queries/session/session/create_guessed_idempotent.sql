-- Like create_guessed, with the stored answer of an idempotent request. Waits
-- for another request with the same key; if there is any record, valid or not,
-- nothing is written and there is no row.
@parameters
    @session_columns,
    answer, answer_version,
    event_id, event_type, event_body, event_trace,
    @expected_key,
    @expected_standing,
    route, idempotency_key, former_key, request_digest, response_status,
    sealed_response, former_response
WITH endpoint AS MATERIALIZED (
@enabled_endpoints
), kept AS (
    INSERT INTO idempotency_record (organization_id, application_id, route, key,
                                    request_digest, status, sealed_response,
                                    created_at, session_id)
    SELECT :organization_id::text, coalesce(:application_id::text, ''),
           :route::text,
           CASE WHEN is_read THEN :former_key::text
                ELSE :idempotency_key::text END,
           :request_digest::bytea, :response_status::integer,
           CASE WHEN is_read THEN :former_response::bytea
                ELSE :sealed_response::bytea END,
           :created_at::bigint, :id::text
      FROM (SELECT
@idempotency_text_is_read
              AS is_read) text
     WHERE
@session_guess
       AND NOT EXISTS (SELECT
                         FROM idempotency_record r
                        WHERE r.organization_id = :organization_id::text
                          AND r.application_id
                              = coalesce(:application_id::text, '')
                          AND r.route = :route::text
                          AND r.key IN (:idempotency_key::text,
                                        :former_key::text))
    ON CONFLICT DO NOTHING
    RETURNING key
), session AS (
@session_inserted
      FROM kept
    RETURNING organization_id, id, application_id, created_at
@session_announced
