WITH revoked AS (
    UPDATE credential
       SET revoked_at = $3::bigint
     WHERE organization_id = $1 AND session_id = $2 AND revoked_at IS NULL
       AND verified_person_id IN (
               SELECT verified_person_id
                 FROM verification_session
                WHERE organization_id = $1 AND id = $2)
    RETURNING id
)
UPDATE vp_token
   SET revoked_at = $3::bigint
 WHERE organization_id = $1
   AND credential_id IN (SELECT id FROM revoked)
   AND revoked_at IS NULL
