-- Ends the sharing of a person's credentials.
@parameters organization_id, verified_person_id
DELETE FROM shared_credential x
 WHERE x.organization_id = :organization_id
   AND x.credential_id IN (SELECT c.id FROM credential c
                            WHERE c.organization_id = :organization_id
                              AND c.verified_person_id = :verified_person_id)
RETURNING x.organization_id, x.credential_id
