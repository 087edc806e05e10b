-- How the reviews in the sessions of a period ended, and whether second, blind
-- decisions agreed: as sessions.sql.
@parameters
    organization_id,
    lower, upper  -- lower <= id of the session < upper
WITH e AS MATERIALIZED (
    SELECT action
      FROM review_entry
     WHERE organization_id = :organization_id
       AND session_id >= :lower::text AND session_id < :upper::text
       AND action IN ('approved', 'rejected', 'timed_out', 'cancelled')
), s AS MATERIALIZED (
    SELECT first_decision, second_decision, lapsed_at
      FROM second_review
     WHERE organization_id = :organization_id
       AND session_id >= :lower::text AND session_id < :upper::text
)
SELECT 'reviews' AS section, action AS figure, count(*) AS n,
       (SELECT count(*) FROM e) AS total
  FROM e
 GROUP BY action
 UNION ALL
SELECT 'second_reviews', 'agreed',
       count(*) FILTER (WHERE first_decision = second_decision),
       count(second_decision)
  FROM s
 UNION ALL
SELECT 'second_reviews', 'lapsed', count(lapsed_at), count(*)
  FROM s
 ORDER BY section, figure
