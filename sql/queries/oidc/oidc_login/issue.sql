-- Gives a login its code; it gets only one.
@parameters organization_id, id, code_digest, expires_at
UPDATE oidc_login
   SET code_digest = :code_digest::bytea, code_expires_at = :expires_at::bigint
 WHERE organization_id = :organization_id AND id = :id AND code_digest IS NULL
