-- Who reuses a credential of person $2 ends first, or waits for the end of this
-- transaction.
SELECT id
  FROM credential
 WHERE organization_id = $1 AND verified_person_id = $2
 ORDER BY id
   FOR UPDATE
