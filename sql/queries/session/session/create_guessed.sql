-- Like create, for several new sessions at once, and verifies in the same
-- statement all facts that were taken from the cache; if any differs, nothing is
-- written and there is no row. What may differ between the sessions is in arrays
-- of the same length; the nth elements describe the nth session.
-- Waits for another request with the same idempotency key; if there is any
-- record of it, valid or not, its session is not written and has no row.
@parameters
    @new_session_shared,
    answer_version, event_type, route, response_status,
    @expected_key,
    @expected_standing,
    @new_session_rows,
    answer,
    event_id, event_body, event_trace,
    idempotency_key,  -- NULL: none
    former_key, request_digest, sealed_response, former_response
WITH endpoint AS MATERIALIZED (
@enabled_endpoints
), expected AS MATERIALIZED (
    SELECT
@session_guess
           AS holds
), kept AS (
    INSERT INTO idempotency_record (organization_id, application_id, route, key,
                                    request_digest, status, sealed_response,
                                    created_at, session_id)
    SELECT :organization_id::text, coalesce(:application_id::text, ''),
           :route::text,
           CASE WHEN is_read THEN (:former_key::text[])[n]
                ELSE (:idempotency_key::text[])[n] END,
           (:request_digest::bytea[])[n],
           :response_status::integer,
           CASE WHEN is_read THEN (:former_response::bytea[])[n]
                ELSE (:sealed_response::bytea[])[n] END,
           (:created_at::text[])[n]::bigint, (:id::text[])[n]
      FROM (SELECT generate_subscripts(:id::text[], 1) AS n) place,
           (SELECT
@idempotency_text_is_read
              AS is_read) text
     WHERE (:idempotency_key::text[])[n] IS NOT NULL
       AND (SELECT holds FROM expected)
       -- Not in one condition: with few rows so far, the index would be searched
       -- without the key.
       AND (SELECT r.key
              FROM idempotency_record r
             WHERE r.organization_id = :organization_id::text
               AND r.application_id = coalesce(:application_id::text, '')
               AND r.route = :route::text
               AND r.key = (:idempotency_key::text[])[n]) IS NULL
       AND (SELECT r.key
              FROM idempotency_record r
             WHERE r.organization_id = :organization_id::text
               AND r.application_id = coalesce(:application_id::text, '')
               AND r.route = :route::text
               AND r.key = (:former_key::text[])[n]) IS NULL
    ON CONFLICT DO NOTHING
    RETURNING session_id
), session AS (
    INSERT INTO verification_session (
@new_session_columns
       , answer, answer_version, answer_xid
    )
    SELECT
@new_session_values
       , (:answer::text[])[n], :answer_version::smallint,
       pg_current_xact_id()::xid
      FROM (SELECT generate_subscripts(:id::text[], 1) AS n) place
     WHERE CASE WHEN (:idempotency_key::text[])[n] IS NULL
                THEN (SELECT holds FROM expected)
                ELSE (:id::text[])[n]
                     = ANY (ARRAY(SELECT k.session_id FROM kept k)) END
    RETURNING id
), announced AS (
    INSERT INTO event (organization_id, id, application_id, type, object_id,
                       body, created_at, trace)
    SELECT :organization_id, (:event_id::text[])[n], :application_id,
           :event_type::text, (:id::text[])[n], (:event_body::text[])[n],
           (:created_at::text[])[n]::bigint, (:event_trace::bytea[])[n]
      FROM (SELECT generate_subscripts(:id::text[], 1) AS n) place
     WHERE (:id::text[])[n] = ANY (ARRAY(SELECT s.id FROM session s))
    RETURNING organization_id, id, application_id, type, created_at
), queued AS (
@delivery_inserted
  FROM announced e, endpoint w
 WHERE
@event_subscribed
RETURNING id
)
SELECT id, EXISTS (SELECT FROM queued)
  FROM session
