-- Notes that a key is in use, unless that was noted a short while ago.
@parameters
    organization_id, id,
    now,
    recently  -- a time: a later note suffices
INSERT INTO api_key_use AS u (organization_id, id, used_at)
SELECT :organization_id::text, :id::text, :now::bigint
 WHERE NOT EXISTS (SELECT
                     FROM api_key_use n
                    WHERE n.organization_id = :organization_id::text
                      AND n.id = :id::text
                      AND n.used_at > :recently::bigint)
ON CONFLICT (organization_id, id) DO UPDATE
   SET used_at = greatest(u.used_at, excluded.used_at)
