-- What a month has used; no row: nothing.
@parameters organization_id, month
SELECT free, charged, sandbox
  FROM monthly_usage
 WHERE organization_id = :organization_id AND month = :month::integer
