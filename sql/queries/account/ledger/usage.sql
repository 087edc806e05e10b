-- The usage of a month; no row: none.
@parameters organization_id, month
SELECT free, charged, sandbox
  FROM monthly_usage
 WHERE organization_id = :organization_id AND month = :month::integer
