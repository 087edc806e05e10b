-- The newest $4 deliveries of endpoint $2 that are older than $3 or NULL, as far
-- as they are among the newest $5 of the organization: read in order, and where
-- they lie. None when the endpoint is not of the key's application $6 or NULL.
SELECT
@delivery_columns
  FROM (SELECT n.*
          FROM (SELECT *
                  FROM webhook_delivery
                 WHERE organization_id = $1 AND id < coalesce($3::text, 'whd_~')
                 ORDER BY id DESC
                 LIMIT $5::integer) n
         WHERE n.webhook_endpoint_id = $2
         ORDER BY n.id DESC
         LIMIT $4::integer) d
  JOIN webhook_endpoint w
    ON w.organization_id = $1 AND w.id = $2
   AND ($6::text IS NULL OR w.application_id = $6::text)
  LEFT JOIN event e
    ON e.organization_id = $1 AND e.id = d.event_id
 ORDER BY d.id DESC
