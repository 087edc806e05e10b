-- A row: the person was erased.
@parameters organization_id, verified_person_id
SELECT created_at
  FROM person_erasure
 WHERE organization_id = :organization_id
   AND verified_person_id = :verified_person_id
