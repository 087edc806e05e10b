-- Unless it was replaced or removed meanwhile.
@parameters organization_id, application_id, route, key, was, sealed
UPDATE idempotency_record
   SET sealed_response = :sealed::bytea
 WHERE organization_id = :organization_id AND application_id = :application_id
   AND route = :route AND key = :key
   AND sealed_response = :was::bytea
