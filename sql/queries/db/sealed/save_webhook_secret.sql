-- Unless it was replaced or removed meanwhile.
@parameters organization_id, id, was, sealed
UPDATE webhook_endpoint
   SET sealed_secret = :sealed::bytea
 WHERE organization_id = :organization_id AND id = :id
   AND sealed_secret = :was::bytea
