-- Keeps a shared credential valid and shared until the transaction ends.
SELECT c.id
  FROM credential c
  JOIN shared_credential x
    ON x.organization_id = c.organization_id AND x.credential_id = c.id
 WHERE c.organization_id = $1 AND c.id = $3 AND x.digest = $4::bytea
   AND
@credential_valid
   FOR SHARE OF c, x
