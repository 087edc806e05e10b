-- The current versions of all lists, the oldest list first. Organizations are
-- an array, so that any plan looks their lists up by index.
@parameters
    organization_id  -- NULL: all
SELECT
@trust_version_columns
  FROM trust_list l
  JOIN trust_list_version v
    ON v.organization_id = l.organization_id AND v.id = l.current_version_id
 WHERE l.organization_id = ANY (ARRAY(
         SELECT ''
         UNION ALL
         SELECT :organization_id::text WHERE :organization_id::text IS NOT NULL
         UNION ALL
         SELECT o.id FROM organization o WHERE :organization_id::text IS NULL))
 ORDER BY l.id
