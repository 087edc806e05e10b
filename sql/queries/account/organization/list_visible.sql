-- One page, newest first, of the organizations that an operator may see.
@reversed list_visible_newer
@parameters
    visible,       -- ids; NULL: all
    search,        -- beginning of a name in any case, or an id; NULL: all
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@organization_columns
  FROM organization
 WHERE (:visible::text[] IS NULL OR id = ANY (:visible::text[]))
   AND (:search::text IS NULL OR id = :search::text
        OR starts_with(lower(name), lower(:search::text)))
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
