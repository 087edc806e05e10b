-- The products and jurisdictions of the workflows of live organizations in
-- which sessions can begin; of the first 10,000.
@parameters
    organization_ids   -- NULL: all
SELECT w.organization_id, w.id, v.compiled ->> 'use_case',
       v.compiled -> 'jurisdictions'
  FROM (SELECT w.organization_id, w.id, w.current_version_id
          FROM workflow w
          JOIN organization o ON o.id = w.organization_id
         WHERE w.retired_at IS NULL
           AND NOT o.sandbox AND o.disabled_at IS NULL
           AND (:organization_ids::text[] IS NULL
                OR w.organization_id = ANY (:organization_ids::text[]))
         ORDER BY w.organization_id, w.id
         LIMIT 10000) w
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.id = w.current_version_id
 WHERE v.compiled ->> 'use_case' IS NOT NULL
 ORDER BY w.organization_id, w.id
