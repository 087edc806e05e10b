-- A page of an endpoint's deliveries of some types in some states, newest
-- first. Each type and state is a range of one index, and at most a page of
-- each is read.
@reversed list_newer
@parameters
    organization_id, webhook_endpoint_id,
    event_types, statuses,
    lower, upper,  -- lower <= id < upper
    limit
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
           AND k.id >= :lower::text AND k.id < :upper::text
         ORDER BY k.id DESC
         LIMIT :limit::integer) r
      WHERE kind.event_type = ANY (:event_types::text[])
        AND kind.status = ANY (:statuses::text[])
      ORDER BY r.id DESC
      LIMIT :limit::integer))
 ORDER BY d.id DESC
