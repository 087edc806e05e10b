-- Spends a code, once.
@parameters organization_id, client_id, code_digest, now
UPDATE oidc_login l
   SET code_used_at = :now::bigint
 WHERE l.organization_id = :organization_id AND l.client_id = :client_id
   AND l.code_digest = :code_digest::bytea AND l.code_used_at IS NULL
   AND l.code_expires_at > :now::bigint
RETURNING
@oidc_login_columns
