-- Like list, upwards from the cursor $5.
SELECT
@delivery_columns
 WHERE d.organization_id = $1
   AND d.id = ANY (ARRAY(
     SELECT r.id
       FROM unnest($3::text[]) AS t (type)
      CROSS JOIN unnest($4::text[]) AS s (status)
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM webhook_delivery k
         WHERE k.organization_id = $1 AND k.webhook_endpoint_id = $2
           AND k.event_type = t.type AND k.status = s.status
           AND k.id > $5::text
         ORDER BY k.id
         LIMIT $6::integer) r
      ORDER BY r.id
      LIMIT $6::integer))
 ORDER BY d.id
