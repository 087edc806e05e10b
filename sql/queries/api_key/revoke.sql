-- Key $1, whosever it is, at $2: one index scan for each organization. The
-- first revocation counts.
UPDATE api_key
   SET revoked_at = coalesce(revoked_at, $2::bigint)
 WHERE organization_id IN (SELECT o.id FROM organization o) AND id = $1
RETURNING
@api_key_columns
