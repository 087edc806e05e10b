@parameters organization_id, verified_person_id
SELECT requested_by, created_at, verified_person_id
  FROM erasure_request
 WHERE organization_id = :organization_id
   AND verified_person_id = :verified_person_id
