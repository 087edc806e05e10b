-- One page of an application's events of the types $6, newest first: of each
-- type no more than a page is read.
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
         ORDER BY k.id DESC
         LIMIT $4::integer) r
      ORDER BY r.id DESC
      LIMIT $4::integer))
 ORDER BY e.id DESC
