-- What became of the sessions of a period, and the assurance of the verified
-- ones: rows of section, figure, count, and of how many (NULL: a plain count).
@parameters
    organization_id,
    lower, upper  -- lower <= id of the session < upper
WITH s AS MATERIALIZED (
    SELECT livemode, status, verification_result ->> 'assurance' AS assurance
      FROM verification_session
     WHERE organization_id = :organization_id
       AND id >= :lower::text AND id < :upper::text
)
SELECT 'sessions' AS section, 'created' AS figure, count(*) AS n,
       NULL::bigint AS total
  FROM s
 UNION ALL
SELECT 'sessions', 'live', count(*) FILTER (WHERE livemode), count(*)
  FROM s
 UNION ALL
SELECT 'sessions', status, count(*), (SELECT count(*) FROM s)
  FROM s
 GROUP BY status
 UNION ALL
SELECT 'assurance', coalesce(assurance, 'none'), count(*),
       (SELECT count(*) FROM s WHERE status = 'verified')
  FROM s
 WHERE status = 'verified'
 GROUP BY assurance
 ORDER BY section, figure
