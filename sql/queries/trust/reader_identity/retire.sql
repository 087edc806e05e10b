-- Retires an identity and destroys its key; without an id, the active one of
-- its owner and kind except for another.
@parameters
    organization_id, kind,
    id,        -- NULL: the active one
    but_id,    -- an exception; NULL: none
    now
UPDATE reader_identity
   SET status = 'retired', sealed_key = NULL, updated_at = :now::bigint
 WHERE organization_id = :organization_id AND kind = :kind
   AND CASE WHEN :id::text IS NULL
            THEN status = 'active' AND id IS DISTINCT FROM :but_id::text
            ELSE id = :id::text AND status <> 'retired' END
