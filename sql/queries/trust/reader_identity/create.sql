-- No row if the organization does not exist.
@parameters
    organization_id,  -- empty: the server
    id, kind, key_type, sealed_key, now
INSERT INTO reader_identity AS r (organization_id, id, kind, status, key_type,
                                  sealed_key, created_at, updated_at)
SELECT :organization_id::text, :id, :kind, 'pending', :key_type,
       :sealed_key::bytea, :now::bigint, :now::bigint
 WHERE :organization_id::text = ''
    OR EXISTS (SELECT FROM organization o
                WHERE o.id = :organization_id::text)
RETURNING
@reader_columns
