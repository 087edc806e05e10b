-- Whether this is still the link of a session.
@parameters organization_id, session_id, token_digest, now
SELECT 1
  FROM handoff
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND token_digest = :token_digest::bytea
   AND expires_at > :now::bigint
