-- An assessment, and the observation of the identifiers that it had, if any.
-- With $12 the commit does not wait for the disk.
WITH assessment AS (
    INSERT INTO risk_assessment (organization_id, id, application_id,
                                 session_id, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6::bigint)
)
INSERT INTO risk_observation (organization_id, assessment_id, created_at,
                              ip_digest, email_digest, phone_digest,
                              device_digest, person_digest)
SELECT $1, $2, $6::bigint, $7::bytea, $8::bytea, $9::bytea, $10::bytea,
       $11::bytea
 WHERE coalesce($7::bytea, $8::bytea, $9::bytea, $10::bytea) IS NOT NULL
   AND CASE WHEN $12::boolean
            THEN set_config('synchronous_commit', 'off', true) = 'off'
            ELSE true END
