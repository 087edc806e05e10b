-- Locks the list, and creates it if necessary. No row if the organization does
-- not exist, or may not have a list of this kind.
@parameters
    organization_id,  -- empty: for all
    id, kind, name, now
INSERT INTO trust_list AS l (organization_id, id, kind, name, created_at,
                             updated_at)
SELECT :organization_id::text, :id, :kind::text, :name, :now::bigint, :now::bigint
 WHERE (:organization_id::text = '' AND :kind::text <> 'sandbox-signer')
    OR EXISTS (SELECT FROM organization o
                WHERE o.id = :organization_id::text
                  AND (o.sandbox OR :kind::text <> 'sandbox-signer'))
ON CONFLICT (organization_id, kind, name) DO UPDATE
   SET updated_at = l.updated_at
RETURNING id, current_version_id
