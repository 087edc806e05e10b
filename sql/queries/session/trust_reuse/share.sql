-- Shares an application's credential under the digests of its person.
@parameters
    organization_id, credential_id, application_id,
    email_digest, phone_digest,  -- NULL: none
    created_at
INSERT INTO shared_credential (digest, organization_id, credential_id,
                               application_id, created_at)
SELECT d.digest, :organization_id::text, :credential_id::text,
       :application_id::text, :created_at::bigint
  FROM (SELECT :email_digest::bytea AS digest
        UNION SELECT :phone_digest::bytea) d
 WHERE d.digest IS NOT NULL
