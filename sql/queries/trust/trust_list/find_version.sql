-- A version by its own id.
@parameters id
SELECT
@trust_version_columns
  FROM trust_list_version v
  JOIN trust_list l
    ON l.organization_id = v.organization_id AND l.id = v.trust_list_id
 WHERE v.id = :id
