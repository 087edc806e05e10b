-- Like list_of_application, upwards from :lower.
@parameters organization_id, lower, upper, limit, application_id, types
SELECT e.id, e.body
  FROM event e
 WHERE e.organization_id = :organization_id
   AND e.id = ANY (ARRAY(
     SELECT r.id
       FROM unnest(:types::text[]) AS t (type)
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM event k
         WHERE k.organization_id = :organization_id
           AND k.application_id = :application_id
           AND k.type = t.type AND k.id >= :lower::text AND k.id < :upper::text
         ORDER BY k.id
         LIMIT :limit::integer) r
      ORDER BY r.id
      LIMIT :limit::integer))
 ORDER BY e.id
