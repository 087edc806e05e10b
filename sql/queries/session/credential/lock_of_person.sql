-- Reuses of the person's credentials finish first, or wait for the end of this
-- transaction.
@parameters organization_id, verified_person_id
SELECT id
  FROM credential
 WHERE organization_id = :organization_id
   AND verified_person_id = :verified_person_id
 ORDER BY id
   FOR UPDATE
