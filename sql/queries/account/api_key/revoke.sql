-- Revokes a key: one index scan per searched organization. The first revocation
-- counts.
@parameters
    organization_id,  -- NULL: of any organization
    id, now
UPDATE api_key k
   SET revoked_at = coalesce(k.revoked_at, :now::bigint)
 WHERE k.organization_id IN (SELECT o.id
                               FROM organization o
                              WHERE :organization_id::text IS NULL
                                 OR o.id = :organization_id::text)
   AND k.id = :id
RETURNING
@api_key_columns
