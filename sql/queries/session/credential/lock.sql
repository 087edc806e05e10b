-- Keeps a valid credential from being revoked before the transaction ends.
@parameters organization_id, now, id
SELECT c.id
  FROM credential c
 WHERE c.organization_id = :organization_id AND c.id = :id
   AND
@credential_valid
   FOR SHARE
