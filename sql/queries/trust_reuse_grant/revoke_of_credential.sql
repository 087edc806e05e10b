-- The grants of credential $2 of the source organization $1.
UPDATE trust_reuse_grant g
   SET revoked_at = $3::bigint, revoked_reason = $4
 WHERE g.source_organization_id = $1 AND g.source_credential_id = $2
   AND g.revoked_at IS NULL
RETURNING
@grant_columns
