-- The version that a rollback restores: the named one, else the one before the
-- list's current one, or the last of a removed list. Locks the list.
@parameters id  -- of a list or of a version
SELECT l.organization_id, l.id, v.id, l.current_version_id
  FROM trust_list l
 CROSS JOIN LATERAL (
       SELECT v.id
         FROM trust_list_version v
        WHERE v.organization_id = l.organization_id
          AND v.trust_list_id = l.id
          AND (v.id = :id
               OR (l.id = :id AND (l.current_version_id IS NULL
                                   OR v.id < l.current_version_id)))
        ORDER BY v.id DESC
        LIMIT 1) v
 WHERE l.id = :id
    OR l.id = (SELECT trust_list_id FROM trust_list_version WHERE id = :id)
   FOR UPDATE OF l
