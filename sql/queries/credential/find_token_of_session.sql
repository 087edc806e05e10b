-- Like find_of_session, when the token is valid too.
SELECT c.id
  FROM credential c
  JOIN vp_token t
    ON t.organization_id = c.organization_id AND t.credential_id = c.id
 WHERE c.organization_id = $1 AND c.session_id = $2 AND c.revoked_at IS NULL
   AND c.expires_at > $3::bigint
   AND t.revoked_at IS NULL AND t.expires_at > $3::bigint
 ORDER BY c.id DESC
 LIMIT 1
