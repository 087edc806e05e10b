-- The valid credentials, newest first, of the person with the e-mail address,
-- or with the phone number if the address is unknown.
@parameters organization_id, now, email_digest, phone_digest, limit
SELECT
@credential_columns
  FROM credential c
 WHERE c.organization_id = :organization_id
   AND c.verified_person_id =
       coalesce((SELECT p.verified_person_id FROM person_identifier p
                  WHERE p.organization_id = :organization_id
                    AND p.kind = 'email'
                    AND p.digest = :email_digest::bytea),
                (SELECT p.verified_person_id FROM person_identifier p
                  WHERE p.organization_id = :organization_id
                    AND p.kind = 'phone'
                    AND p.digest = :phone_digest::bytea))
   AND
@credential_valid
 ORDER BY c.id DESC
 LIMIT :limit::integer
