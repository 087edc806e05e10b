-- A page of the failed deliveries to some endpoints with one of some status
-- codes, newest first; or only those that have failed since the last success of
-- their endpoint.
@reversed list_all_of_answer_newer
@parameters
    organization_id,
    endpoints,
    first_answer, last_answer,  -- status codes; 0: no answer
    lower, upper,               -- lower <= id < upper
    limit,
    failing                     -- only since the last success
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = :organization_id
   AND d.id = ANY (ARRAY(
     SELECT r.id
       FROM unnest(:endpoints::text[]) endpoint (id)
       JOIN webhook_endpoint w
         ON w.organization_id = :organization_id AND w.id = endpoint.id
      CROSS JOIN generate_series(:first_answer::integer,
                                 :last_answer::integer) answer (code)
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM webhook_delivery k
         WHERE k.organization_id = :organization_id
           AND k.webhook_endpoint_id = endpoint.id
           AND coalesce((k.response ->> 'status_code')::integer, 0) = answer.code
           AND k.status <> 'delivered' AND k.attempt > 0
           AND (NOT :failing::boolean OR k.updated_at >= w.failing_since)
           AND k.id >= :lower::text AND k.id < :upper::text
         ORDER BY k.id DESC
         LIMIT :limit::integer) r
      ORDER BY r.id DESC
      LIMIT :limit::integer))
 ORDER BY d.id DESC
