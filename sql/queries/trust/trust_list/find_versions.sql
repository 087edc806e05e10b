-- All versions of a list, the newest first.
@parameters id
SELECT
@trust_version_columns
  FROM trust_list l
  JOIN trust_list_version v
    ON v.organization_id = l.organization_id AND v.trust_list_id = l.id
 WHERE l.id = :id
 ORDER BY v.id DESC
