-- The current version of a list; no row if there is none.
@parameters
    organization_id,  -- empty: for all
    kind, name
SELECT
@trust_version_columns
  FROM trust_list l
  JOIN trust_list_version v
    ON v.organization_id = l.organization_id AND v.id = l.current_version_id
 WHERE l.organization_id = :organization_id AND l.kind = :kind
   AND l.name = :name
