-- Consumes an earlier request, unless the transaction is rolled back.
@parameters organization_id, verified_person_id
DELETE FROM erasure_request
 WHERE organization_id = :organization_id
   AND verified_person_id = :verified_person_id
RETURNING requested_by, created_at, verified_person_id
