-- Waits for another transaction that is inserting the same key. An outdated
-- record is replaced; a valid one stays, and then nothing is changed.
@parameters
    organization_id, application_id, route, key, request_digest, status,
    sealed_response, created_at,
    outdated_until,  -- records from then or before are not valid
    session_id
INSERT INTO idempotency_record AS kept
       (organization_id, application_id, route, key, request_digest, status,
        sealed_response, created_at, session_id)
VALUES (:organization_id, :application_id, :route, :key, :request_digest::bytea,
        :status::integer, :sealed_response::bytea, :created_at::bigint,
        :session_id::text)
@idempotency_replaced
