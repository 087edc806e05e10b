-- Revokes the grants for a credential.
@parameters source_organization_id, source_credential_id, now, reason
UPDATE trust_reuse_grant g
   SET revoked_at = :now::bigint, revoked_reason = :reason
 WHERE g.source_organization_id = :source_organization_id
   AND g.source_credential_id = :source_credential_id
   AND g.revoked_at IS NULL
RETURNING
@grant_columns
