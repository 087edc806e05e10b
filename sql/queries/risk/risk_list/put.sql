-- Lists an identifier, or changes its listing, and records who did so. Returns
-- the entry's id; no row if the organization has :entries_max others.
@parameters
    organization_id, id, change_id, kind, digest,
    value,       -- NULL: it is personal
    listing, note, actor, now,
    expires_at,  -- NULL: never
    entries_max
WITH entry AS (
    INSERT INTO risk_list_entry (organization_id, digest, id, kind, listing,
                                 value, note, actor, created_at, expires_at)
    SELECT :organization_id::text, :digest::bytea, :id::text, :kind::text,
           :listing::text, :value::text, :note::text, :actor::text,
           :now::bigint, :expires_at::bigint
     WHERE (SELECT count(*)
              FROM (SELECT
                      FROM risk_list_entry
                     WHERE organization_id = :organization_id
                       AND digest <> :digest::bytea
                     LIMIT :entries_max::integer) others)
           < :entries_max::integer
    ON CONFLICT (organization_id, digest)
    DO UPDATE SET listing = excluded.listing, note = excluded.note,
                  actor = excluded.actor, created_at = excluded.created_at,
                  expires_at = excluded.expires_at
    RETURNING id
), change AS (
    INSERT INTO risk_list_change (organization_id, id, entry_id, action, kind,
                                  digest, value, note, actor, created_at)
    SELECT :organization_id::text, :change_id::text, id, :listing::text,
           :kind::text, :digest::bytea, :value::text, :note::text, :actor::text,
           :now::bigint
      FROM entry
)
SELECT id FROM entry
