-- Like list_of_application, upwards from $2.
SELECT e.id, e.body
  FROM event e
 WHERE e.organization_id = $1
   AND e.id = ANY (ARRAY(
     SELECT r.id
       FROM unnest($6::text[]) AS t (type)
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM event k
         WHERE k.organization_id = $1 AND k.application_id = $5
           AND k.type = t.type AND k.id >= $2::text AND k.id < $3::text
         ORDER BY k.id
         LIMIT $4::integer) r
      ORDER BY r.id
      LIMIT $4::integer))
 ORDER BY e.id
