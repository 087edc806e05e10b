-- The valid credential whose hash has the digest $3.
SELECT
@credential_columns
  FROM credential c
 WHERE c.organization_id = $1 AND c.hash_digest = $3::bytea
   AND
@credential_valid
