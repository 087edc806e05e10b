-- The valid credential with a hash.
@parameters organization_id, now, hash_digest
SELECT
@credential_columns
  FROM credential c
 WHERE c.organization_id = :organization_id
   AND c.hash_digest = :hash_digest::bytea
   AND
@credential_valid
