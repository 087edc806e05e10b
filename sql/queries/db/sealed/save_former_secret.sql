-- Unless it was replaced or removed meanwhile.
@parameters organization_id, id, was, sealed
UPDATE webhook_overlap
   SET sealed_secret = :sealed::bytea
 WHERE organization_id = :organization_id AND webhook_endpoint_id = :id
   AND sealed_secret = :was::bytea
