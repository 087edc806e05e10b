-- Takes the challenge away, so that nobody else gets it; only one that has not
-- expired is returned.
@parameters organization_id, session_id, ceremony, now
WITH taken AS (
    DELETE FROM passkey_challenge
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND ceremony = :ceremony
    RETURNING challenge, user_handle, expires_at
)
SELECT challenge, user_handle
  FROM taken
 WHERE expires_at > :now::bigint
