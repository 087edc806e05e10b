-- The valid credential of a valid token.
@parameters organization_id, now, token_digest
SELECT
@credential_columns
  FROM vp_token t
  JOIN credential c
    ON c.organization_id = t.organization_id AND c.id = t.credential_id
 WHERE t.organization_id = :organization_id AND t.digest = :token_digest::bytea
   AND
@token_valid
   AND
@credential_valid
