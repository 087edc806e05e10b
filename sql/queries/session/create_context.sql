-- What the creation of a session depends on, in one look. One row; the
-- workflow's columns are NULL when it does not exist for the caller.
SELECT w.id, w.current_version_id, v.compiled,
       EXISTS (SELECT FROM webhook_endpoint e
                WHERE e.organization_id = o.id AND e.status = 'enabled'
                  AND (e.application_id IS NULL
                       OR e.application_id = $3::text)),
       coalesce((SELECT u.verifications FROM monthly_usage u
                  WHERE u.organization_id = o.id AND u.month = $4::integer), 0),
       o.free_allotment, o.credit_balance
  FROM organization o
  LEFT JOIN workflow w
    ON w.organization_id = o.id AND w.id = $2
   AND ($3::text IS NULL OR w.application_id IS NULL
        OR w.application_id = $3::text)
  LEFT JOIN workflow_version v
    ON v.organization_id = o.id AND v.id = w.current_version_id
 WHERE o.id = $1
