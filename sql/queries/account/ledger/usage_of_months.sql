-- The usage of the last months, newest first.
@parameters organization_id, limit
SELECT month, free, charged, sandbox
  FROM monthly_usage
 WHERE organization_id = :organization_id
 ORDER BY month DESC
 LIMIT :limit::integer
