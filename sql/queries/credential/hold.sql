-- Keeps a valid credential from being revoked before the transaction ends.
SELECT c.id
  FROM credential c
 WHERE c.organization_id = $1 AND c.id = $3
   AND
@credential_valid
   FOR SHARE
