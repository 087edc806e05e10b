-- The current versions of all lists, with the oldest list first.
@parameters
    organization_id  -- NULL: of everybody
SELECT
@trust_version_columns
  FROM trust_list l
  JOIN trust_list_version v
    ON v.organization_id = l.organization_id AND v.id = l.current_version_id
 WHERE :organization_id::text IS NULL
    OR l.organization_id IN ('', :organization_id::text)
 ORDER BY l.id
