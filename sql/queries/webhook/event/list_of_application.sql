-- One page of an application's events, newest first: at most a page of each
-- type is read.
@reversed list_of_application_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit,
    application_id, types
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
         ORDER BY k.id DESC
         LIMIT :limit::integer) r
      ORDER BY r.id DESC
      LIMIT :limit::integer))
 ORDER BY e.id DESC
