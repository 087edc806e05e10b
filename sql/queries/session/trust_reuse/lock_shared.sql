-- Keeps a shared credential valid and shared until the transaction ends. Reuses
-- of it are serialized, so that the next one sees the grant of the first.
@parameters organization_id, now, credential_id, digest
SELECT c.id
  FROM credential c
  JOIN shared_credential x
    ON x.organization_id = c.organization_id AND x.credential_id = c.id
 WHERE c.organization_id = :organization_id AND c.id = :credential_id
   AND x.digest = :digest::bytea
   AND
@credential_valid
   FOR NO KEY UPDATE OF c
   FOR SHARE OF x
