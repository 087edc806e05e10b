-- Who reuses a credential of the person ends first, or waits for the end of
-- this transaction.
@parameters organization_id, verified_person_id
SELECT id
  FROM credential
 WHERE organization_id = :organization_id
   AND verified_person_id = :verified_person_id
 ORDER BY id
   FOR UPDATE
