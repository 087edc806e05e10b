-- Unless it was removed meanwhile.
@parameters id, was, sealed
UPDATE oidc_key
   SET sealed_key = :sealed::bytea
 WHERE id = :id AND sealed_key = :was::bytea
