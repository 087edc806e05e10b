-- The newest deliveries of an endpoint that are among the newest :near_limit of
-- the organization, which are read in the order of storage. None if the
-- endpoint is not of the key's application.
@parameters
    organization_id, webhook_endpoint_id,
    cursor,         -- only older ones; NULL: all
    limit,
    near_limit,
    application_id  -- of the key; NULL: all
SELECT
@delivery_columns
  FROM (SELECT n.*
          FROM (SELECT *
                  FROM webhook_delivery
                 WHERE organization_id = :organization_id
                   AND id < coalesce(:cursor::text, 'whd_~')
                 ORDER BY id DESC
                 LIMIT :near_limit::integer) n
         WHERE n.webhook_endpoint_id = :webhook_endpoint_id
         ORDER BY n.id DESC
         LIMIT :limit::integer) d
  JOIN webhook_endpoint w
    ON w.organization_id = :organization_id AND w.id = :webhook_endpoint_id
   AND (:application_id::text IS NULL
        OR w.application_id = :application_id::text)
  LEFT JOIN event e
    ON e.organization_id = :organization_id AND e.id = d.event_id
 ORDER BY d.id DESC
