-- Waits for another transaction that is inserting the same key. An expired
-- record is replaced; if there is a valid one, nothing is changed.
@parameters
    organization_id, application_id, route, key,
    former_key,       -- the text of the key, in place of its HMAC while needed
    request_digest, status, sealed_response,
    former_response,  -- sealed for the row of the text
    created_at,
    outdated_until,  -- records up to this time are invalid
    session_id
INSERT INTO idempotency_record AS kept
       (organization_id, application_id, route, key, request_digest, status,
        sealed_response, created_at, session_id)
SELECT :organization_id, :application_id, :route,
       CASE WHEN is_read THEN :former_key::text ELSE :key::text END,
       :request_digest::bytea, :status::integer,
       CASE WHEN is_read THEN :former_response::bytea
            ELSE :sealed_response::bytea END,
       :created_at::bigint, :session_id::text
  FROM (SELECT
@idempotency_text_is_read
          AS is_read) text
@idempotency_replaced
