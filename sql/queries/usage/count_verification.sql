-- Counts a verification in month $2 and says whether it costs a credit: in a
-- live organization, beyond the free allotment. The usage's row stays locked
-- until the end of the transaction, so the answer holds.
WITH used AS (
    INSERT INTO monthly_usage AS u (organization_id, month, verifications)
    VALUES ($1, $2::integer, 1)
    ON CONFLICT (organization_id, month) DO UPDATE
       SET verifications = u.verifications + 1
    RETURNING verifications, charged
)
SELECT u.verifications,
       NOT o.sandbox AND u.verifications - u.charged > o.free_allotment
  FROM used u, organization o
 WHERE o.id = $1
