-- A page of an endpoint's deliveries, newest first: of the types :event_types
-- in the states :statuses, older than :cursor or NULL. A type and a state are a
-- range of one index, and no more than a page is read of each, however many
-- there are.
@parameters
    organization_id, webhook_endpoint_id, event_types, statuses, cursor, limit
WITH RECURSIVE kind AS (
@delivery_kinds
)
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = :organization_id
   AND d.id = ANY (ARRAY(
     SELECT r.id
       FROM kind
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM webhook_delivery k
         WHERE k.organization_id = :organization_id
           AND k.webhook_endpoint_id = :webhook_endpoint_id
           AND k.event_type = kind.event_type AND k.status = kind.status
           AND k.id < coalesce(:cursor::text, 'whd_~')
         ORDER BY k.id DESC
         LIMIT :limit::integer) r
      WHERE kind.event_type = ANY (:event_types::text[])
        AND kind.status = ANY (:statuses::text[])
      ORDER BY r.id DESC
      LIMIT :limit::integer))
 ORDER BY d.id DESC
