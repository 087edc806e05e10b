-- Keeps a shared credential valid and shared until the transaction ends. Reuses
-- of it take turns, so that the next one sees the grant of the first.
SELECT c.id
  FROM credential c
  JOIN shared_credential x
    ON x.organization_id = c.organization_id AND x.credential_id = c.id
 WHERE c.organization_id = $1 AND c.id = $3 AND x.digest = $4::bytea
   AND
@credential_valid
   FOR NO KEY UPDATE OF c
   FOR SHARE OF x
