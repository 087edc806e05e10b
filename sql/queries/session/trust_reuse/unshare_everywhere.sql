-- Ends all sharing for the identifiers of the person, whichever organization
-- verified them.
@parameters organization_id, verified_person_id
DELETE FROM shared_credential x
 WHERE (x.organization_id, x.credential_id) IN (
         SELECT y.organization_id, y.credential_id
           FROM person_identifier p
           JOIN shared_credential y ON y.digest = p.digest
          WHERE p.organization_id = :organization_id
            AND p.verified_person_id = :verified_person_id)
RETURNING x.organization_id, x.credential_id
