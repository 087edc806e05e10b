-- The credentials of person $2 are shared no more.
DELETE FROM shared_credential x
 WHERE x.organization_id = $1
   AND x.credential_id IN (SELECT c.id FROM credential c
                            WHERE c.organization_id = $1
                              AND c.verified_person_id = $2)
RETURNING x.organization_id, x.credential_id
