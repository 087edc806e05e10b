-- What month $2 has used; no row: nothing.
SELECT free, charged, sandbox
  FROM monthly_usage
 WHERE organization_id = $1 AND month = $2::integer
