-- Like find_of_session, if the token is valid too.
@parameters organization_id, session_id, now
SELECT c.id
  FROM credential c
  JOIN vp_token t
    ON t.organization_id = c.organization_id AND t.credential_id = c.id
 WHERE c.organization_id = :organization_id AND c.session_id = :session_id
   AND
@credential_valid
   AND
@token_valid
 ORDER BY c.id DESC
 LIMIT 1
