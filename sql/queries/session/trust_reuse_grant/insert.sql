-- Nothing if the application has a valid grant for this credential.
@parameters
    organization_id, id, application_id, source_organization_id,
    source_credential_id, session_id, verified_person_id, method, age_tier,
    strength, granted_at, expires_at
INSERT INTO trust_reuse_grant AS g
       (organization_id, id, application_id, source_organization_id,
        source_credential_id, session_id, verified_person_id, method, age_tier,
        strength, granted_at, expires_at)
SELECT :organization_id::text, :id::text, :application_id::text,
       :source_organization_id::text, :source_credential_id::text,
       :session_id::text, :verified_person_id::text,
       :method::text, :age_tier::text, :strength::text, :granted_at::bigint,
       :expires_at::bigint
 WHERE NOT EXISTS (
         SELECT FROM trust_reuse_grant h
          WHERE h.source_organization_id = :source_organization_id::text
            AND h.source_credential_id = :source_credential_id::text
            AND h.organization_id = :organization_id::text
            AND h.application_id = :application_id::text
            AND h.revoked_at IS NULL)
RETURNING
@grant_columns
