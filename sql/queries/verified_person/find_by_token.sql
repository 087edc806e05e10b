-- The valid credential of the valid token with the digest $3.
SELECT
@credential_columns
  FROM vp_token t
  JOIN credential c
    ON c.organization_id = t.organization_id AND c.id = t.credential_id
 WHERE t.organization_id = $1 AND t.digest = $3::bytea
   AND t.revoked_at IS NULL AND t.expires_at > $2::bigint
   AND
@credential_valid
