-- The products and jurisdictions of the workflows in which sessions can begin, of live
-- organizations with an endpoint that named a type of notices about the law, and which
-- of the two; of the first 10,000.
SELECT w.organization_id, w.id, w.current_version_id, v.compiled ->> 'use_case',
       v.compiled -> 'jurisdictions', s.changes, s.reviews
  FROM (SELECT e.organization_id,
               bool_or(e.enabled_events @> '{workflow_law.changes}') AS changes,
               bool_or(e.enabled_events @> '{workflow_law.review_due}') AS reviews
          FROM webhook_endpoint e
          JOIN organization o ON o.id = e.organization_id
         WHERE e.status = 'enabled' AND e.application_id IS NULL
           AND e.enabled_events && '{workflow_law.changes,workflow_law.review_due}'
           AND NOT o.sandbox AND o.disabled_at IS NULL
         GROUP BY e.organization_id) s
  JOIN workflow w ON w.organization_id = s.organization_id AND w.retired_at IS NULL
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.id = w.current_version_id
 WHERE v.compiled ->> 'use_case' IS NOT NULL
 ORDER BY w.organization_id, w.id
 LIMIT 10000
