-- The progress of the newest sessions of an organization, up to the limit: a
-- row for all, then one per method that they offered or took. A method was
-- begun if it is the current one or has an outcome.
@parameters
    organization_id,
    lower,  -- only ids from this one on
    limit
WITH newest AS MATERIALIZED (
  SELECT id, livemode, status, methods, current_method, results
    FROM verification_session
   WHERE organization_id = :organization_id AND id >= :lower::text
   ORDER BY id DESC
   LIMIT :limit::integer
), taken AS (
  SELECT bool_or(m.begun) AS begun, bool_or(m.passed) AS passed, m.method
    FROM newest s
   CROSS JOIN LATERAL (
     SELECT unnest(s.methods) AS method, false AS begun, false AS passed
     UNION ALL
     SELECT s.current_method, true, false
      WHERE s.current_method IS NOT NULL
     UNION ALL
     SELECT result ->> 'method', true, result ->> 'status' = 'passed'
       FROM json_array_elements(s.results) result) m
   GROUP BY s.id, m.method
)
SELECT NULL AS method, count(*) AS sessions,
       count(*) FILTER (WHERE livemode),
       count(*) FILTER (WHERE status = 'verified'),
       count(*) FILTER (WHERE status = 'failed'),
       count(*) FILTER (WHERE status IN ('cancelled', 'expired')),
       count(*) FILTER (WHERE status = 'under_review')
  FROM newest
 UNION ALL
SELECT method, count(*), count(*) FILTER (WHERE begun),
       count(*) FILTER (WHERE passed), 0, 0, 0
  FROM taken
 GROUP BY method
 ORDER BY method NULLS FIRST
