-- Unless it was replaced or removed meanwhile.
@parameters organization_id, id, was, sealed
UPDATE reader_identity
   SET sealed_key = :sealed::bytea
 WHERE organization_id = :organization_id AND id = :id
   AND sealed_key = :was::bytea
