-- An assessment, and the observation of its identifiers, if any.
@parameters
    organization_id, id, application_id, session_id, body, created_at,
    ip_digest, email_digest, phone_digest, device_digest,  -- NULL: none
    person_digest,
    async_commit  -- true: the commit does not wait for the disk
WITH assessment AS (
    INSERT INTO risk_assessment (organization_id, id, application_id,
                                 session_id, body, created_at)
    VALUES (:organization_id, :id, :application_id, :session_id, :body,
            :created_at::bigint)
)
INSERT INTO risk_observation (organization_id, assessment_id, created_at,
                              ip_digest, email_digest, phone_digest,
                              device_digest, person_digest)
SELECT :organization_id, :id, :created_at::bigint, :ip_digest::bytea,
       :email_digest::bytea, :phone_digest::bytea, :device_digest::bytea,
       :person_digest::bytea
 WHERE coalesce(:ip_digest::bytea, :email_digest::bytea, :phone_digest::bytea,
                :device_digest::bytea) IS NOT NULL
   AND CASE WHEN :async_commit::boolean
            THEN set_config('synchronous_commit', 'off', true) = 'off'
            ELSE true END
