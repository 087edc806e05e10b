-- Nothing when the application holds a valid grant of this credential.
INSERT INTO trust_reuse_grant AS g
       (organization_id, id, application_id, source_organization_id,
        source_credential_id, session_id, verified_person_id, method, age_tier,
        strength, granted_at, expires_at)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text,
       $8::text, $9::text, $10::text, $11::bigint, $12::bigint
 WHERE NOT EXISTS (
         SELECT FROM trust_reuse_grant h
          WHERE h.source_organization_id = $4::text
            AND h.source_credential_id = $5::text
            AND h.organization_id = $1::text AND h.application_id = $3::text
            AND h.revoked_at IS NULL)
RETURNING
@grant_columns
