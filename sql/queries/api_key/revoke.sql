-- Revokes a key of any organization: one index scan for each organization. The
-- first revocation counts.
@parameters id, now
UPDATE api_key
   SET revoked_at = coalesce(revoked_at, :now::bigint)
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = :id
RETURNING
@api_key_columns
