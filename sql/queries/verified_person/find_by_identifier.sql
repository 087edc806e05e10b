-- The valid credentials, newest first, of the person whom the e-mail address
-- ($3) names, or the phone number ($4) when the address is not known.
SELECT
@credential_columns
  FROM credential c
 WHERE c.organization_id = $1
   AND c.verified_person_id =
       coalesce((SELECT p.verified_person_id FROM person_identifier p
                  WHERE p.organization_id = $1 AND p.kind = 'email'
                    AND p.digest = $3::bytea),
                (SELECT p.verified_person_id FROM person_identifier p
                  WHERE p.organization_id = $1 AND p.kind = 'phone'
                    AND p.digest = $4::bytea))
   AND
@credential_valid
 ORDER BY c.id DESC
 LIMIT $5::integer
