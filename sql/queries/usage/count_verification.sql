INSERT INTO monthly_usage (organization_id, month, verifications)
VALUES ($1, $2::integer, 1)
ON CONFLICT (organization_id, month) DO UPDATE
   SET verifications = monthly_usage.verifications + 1
RETURNING verifications
