-- A page of an endpoint's deliveries, newest first: of the types $3 in the
-- states $4, older than $5 or NULL. A type and a state are a range of one
-- index, and no more than a page is read of each, however many there are.
WITH RECURSIVE kind AS (
@delivery_kinds
)
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = $1
   AND d.id = ANY (ARRAY(
     SELECT r.id
       FROM kind
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM webhook_delivery k
         WHERE k.organization_id = $1 AND k.webhook_endpoint_id = $2
           AND k.event_type = kind.event_type AND k.status = kind.status
           AND k.id < coalesce($5::text, 'whd_~')
         ORDER BY k.id DESC
         LIMIT $6::integer) r
      WHERE kind.event_type = ANY ($3::text[])
        AND kind.status = ANY ($4::text[])
      ORDER BY r.id DESC
      LIMIT $6::integer))
 ORDER BY d.id DESC
