-- The phone that took the session last.
@parameters organization_id, session_id
SELECT phone, secret_digest, idle_at
  FROM handoff
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND secret_digest IS NOT NULL
