@parameters organization_id, id, now, reason
UPDATE trust_reuse_grant g
   SET revoked_at = :now::bigint, revoked_reason = :reason
 WHERE g.organization_id = :organization_id AND g.id = :id
   AND g.revoked_at IS NULL
RETURNING
@grant_columns
