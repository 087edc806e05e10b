-- Waits for another transaction that is inserting the same key. An outdated
-- record is replaced; a valid one stays, and then nothing is changed.
INSERT INTO idempotency_record AS kept
       (organization_id, application_id, route, key, request_digest, status,
        sealed_response, created_at, session_id)
VALUES ($1, $2, $3, $4, $5::bytea, $6::integer, $7::bytea, $8::bigint,
        $10::text)
ON CONFLICT (organization_id, application_id, route, key) DO UPDATE
   SET request_digest = excluded.request_digest,
       status = excluded.status,
       sealed_response = excluded.sealed_response,
       created_at = excluded.created_at,
       session_id = excluded.session_id
 WHERE kept.created_at <= $9::bigint
