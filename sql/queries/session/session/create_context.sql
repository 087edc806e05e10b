-- Everything that the creation of a session depends on, in one query. One row;
-- the workflow's columns are NULL if it does not exist for the caller.
@parameters organization_id, workflow_id, application_id, month
SELECT w.id, w.current_version_id, v.compiled,
       EXISTS (
           SELECT FROM webhook_endpoint
            WHERE organization_id = :organization_id AND status = 'enabled'
       ),
       o.free_allotment, o.credit_balance, coalesce(u.free, 0),
       coalesce(u.sandbox, 0), w.retired_at IS NOT NULL,
       EXISTS (
           SELECT FROM application a
            WHERE a.organization_id = :organization_id
              AND a.id = :application_id AND a.retired_at IS NOT NULL
       )
  FROM organization o
  LEFT JOIN workflow w
    ON w.organization_id = o.id AND w.id = :workflow_id
   AND
@workflow_in_scope
  LEFT JOIN workflow_version v
    ON v.organization_id = o.id AND v.id = w.current_version_id
  LEFT JOIN monthly_usage u
    ON u.organization_id = o.id AND u.month = :month::integer
 WHERE o.id = :organization_id
