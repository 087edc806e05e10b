-- What month $2 has used; no row: nothing.
SELECT verifications, charged
  FROM monthly_usage
 WHERE organization_id = $1 AND month = $2::integer
