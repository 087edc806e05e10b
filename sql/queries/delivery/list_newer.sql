-- Like list, upwards from the cursor $5.
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
           AND k.id > $5::text
         ORDER BY k.id
         LIMIT $6::integer) r
      WHERE kind.event_type = ANY ($3::text[])
        AND kind.status = ANY ($4::text[])
      ORDER BY r.id
      LIMIT $6::integer))
 ORDER BY d.id
