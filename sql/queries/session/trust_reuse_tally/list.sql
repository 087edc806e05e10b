-- The applications with the most unsuccessful lookups after an hour.
@parameters
    organization_id,  -- NULL: all
    after_hour,       -- hours since 1970
    limit
SELECT t.organization_id, t.application_id, a.name,
       coalesce(sum(t.count) FILTER (WHERE t.kind = 'asked'), 0) AS asked,
       coalesce(sum(t.count) FILTER (WHERE t.kind = 'met'), 0) AS met,
       max(t.count) FILTER (WHERE t.kind = 'asked') AS most_in_an_hour,
       max(t.hour) FILTER (WHERE t.kind = 'asked') AS last_hour
  FROM trust_reuse_tally t
  LEFT JOIN application a
    ON a.organization_id = t.organization_id AND a.id = t.application_id
 WHERE t.hour > :after_hour::bigint
   AND (:organization_id::text IS NULL
        OR t.organization_id = :organization_id::text)
 GROUP BY t.organization_id, t.application_id, a.name
 ORDER BY coalesce(sum(t.count) FILTER (WHERE t.kind = 'asked'), 0)
          - coalesce(sum(t.count) FILTER (WHERE t.kind = 'met'), 0) DESC,
          t.organization_id, t.application_id
 LIMIT :limit::integer
