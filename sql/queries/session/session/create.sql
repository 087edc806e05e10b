-- Inserts a session, its first event and that event's deliveries, and the
-- stored answer of an idempotent request, in one statement: one round trip and
-- one commit. It waits for a concurrent insertion of the same idempotency key;
-- if there is a valid record, nothing is written and there is no row.
@parameters
    @session_columns,
    answer, answer_version,
    event_type, event_id, event_body, event_trace,
    route, response_status,
    idempotency_key,  -- NULL: none
    former_key,       -- its text, in place of its HMAC while needed
    request_digest, sealed_response,
    former_response,  -- sealed for the row of the text
    outdated_until    -- records up to this time are invalid
WITH endpoint AS MATERIALIZED (
@enabled_endpoints
), kept AS (
    INSERT INTO idempotency_record AS kept
           (organization_id, application_id, route, key, request_digest,
            status, sealed_response, created_at, session_id)
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
     WHERE :idempotency_key::text IS NOT NULL
@idempotency_replaced
    RETURNING key
), session AS (
@session_inserted
     WHERE :idempotency_key::text IS NULL OR EXISTS (SELECT FROM kept)
    RETURNING organization_id, id, application_id, created_at
@session_announced
