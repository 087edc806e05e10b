-- Removes an entry from the lists and records who did so. Returns its kind,
-- listing and value; no row if there is none.
@parameters organization_id, id, change_id, note, actor, now
WITH entry AS (
    DELETE FROM risk_list_entry
     WHERE organization_id = :organization_id AND id = :id
    RETURNING id, kind, digest, listing, value
), change AS (
    INSERT INTO risk_list_change (organization_id, id, entry_id, action, kind,
                                  digest, value, note, actor, created_at)
    SELECT :organization_id::text, :change_id::text, id, 'remove', kind, digest,
           value, :note::text, :actor::text, :now::bigint
      FROM entry
)
SELECT kind, listing, value FROM entry
