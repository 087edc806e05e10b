UPDATE trust_reuse_grant g
   SET revoked_at = $3::bigint, revoked_reason = $4
 WHERE g.organization_id = $1 AND g.id = $2 AND g.revoked_at IS NULL
RETURNING
@grant_columns
