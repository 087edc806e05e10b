-- In the month in which it was counted.
UPDATE monthly_usage
   SET verifications = verifications - 1
 WHERE organization_id = $1 AND month = $2::integer AND verifications > 0
