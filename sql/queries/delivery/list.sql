-- A page of an endpoint's deliveries, newest first: of the types $3 in the
-- states $4, older than $5 or NULL. A type and a state are a range of one
-- index, and no more than a page is read of each, however many there are.
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
           AND k.id < coalesce($5::text, 'whd_~')
         ORDER BY k.id DESC
         LIMIT $6::integer) r
      ORDER BY r.id DESC
      LIMIT $6::integer))
 ORDER BY d.id DESC
