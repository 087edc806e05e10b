@parameters organization_id, client_id, code_digest, now
UPDATE oidc_login
   SET code_reused_at = :now::bigint
 WHERE organization_id = :organization_id AND client_id = :client_id
   AND code_digest = :code_digest::bytea AND code_used_at IS NOT NULL
