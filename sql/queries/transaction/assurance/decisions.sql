-- The decisions of methods in the sessions of a period, and what they rest on:
-- as sessions.sql.
@parameters
    organization_id,
    lower, upper  -- lower <= id of the session < upper
WITH d AS MATERIALIZED (
    SELECT method, verdict, record -> 'basis' AS basis
      FROM decision_record
     WHERE organization_id = :organization_id
       AND session_id >= :lower::text AND session_id < :upper::text
)
SELECT 'methods' AS section, method || ' ' || verdict AS figure, count(*) AS n,
       (sum(count(*)) OVER (PARTITION BY method))::bigint AS total
  FROM d
 GROUP BY method, verdict
 UNION ALL
SELECT 'basis',
       concat_ws(' ', b ->> 'kind', b ->> 'id', b ->> 'version'),
       count(*), (SELECT count(*) FROM d)
  FROM d
 CROSS JOIN LATERAL json_array_elements(d.basis) b
 GROUP BY b ->> 'kind', b ->> 'id', b ->> 'version'
 ORDER BY section, figure
