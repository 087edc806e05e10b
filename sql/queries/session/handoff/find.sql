-- The link with this token, if it is valid: no row while its organization is
-- disabled.
@parameters organization_id, token_digest, now
SELECT session_id, pairing, choices[1], choices[2], choices[3], expires_at
  FROM handoff
 WHERE organization_id = :organization_id
   AND token_digest = :token_digest::bytea
   AND expires_at > :now::bigint
   AND
@organization_open
