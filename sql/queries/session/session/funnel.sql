-- The progress of the newest sessions of an organization in each span of time,
-- up to the limit per span. A row each: for all, per span, per jurisdiction of
-- the session, per issuer and kind of the document, and per browser; then one per
-- path of verified sessions in which no method was passed; then one per
-- method that the sessions offered or took. A method was begun if it is the current one or has
-- an outcome; a session, if one of its methods was, or if it has a result. The total of a span counts sessions beyond the limit, up to :most.
@parameters
    organization_id,
    lowers,  -- the lowest id of each span, ascending
    limit, most,
    passive  -- methods that count as none
WITH span AS MATERIALIZED (
  SELECT number, lower COLLATE "C" AS lower,
         coalesce(lead(lower) OVER (ORDER BY number), 'vks_~') COLLATE "C"
           AS upper
    FROM unnest(:lowers::text[]) WITH ORDINALITY given (lower, number)
), newest AS MATERIALIZED (
  SELECT span.number, s.*
    FROM span
   CROSS JOIN LATERAL (
     SELECT id, livemode, status, methods, current_method, results,
            verification_path,
            jurisdiction, runner ->> 'document_kind' AS document_kind,
            coalesce(runner ->> 'document_issuer',
                     runner ->> 'evidence_jurisdiction') AS issuer,
            runner ->> 'browser' AS browser,
            CASE WHEN status = 'verified' THEN completed_at - created_at END
              AS taken,
            status IN ('verified', 'failed', 'under_review')
              OR current_method IS NOT NULL
              OR EXISTS (SELECT FROM json_array_elements(results) result
                          WHERE result ->> 'method' <> ALL (:passive::text[]))
              AS begun
       FROM verification_session
      WHERE organization_id = :organization_id
        AND id >= span.lower AND id < span.upper
      ORDER BY id DESC
      LIMIT :limit::integer) s
), total AS (
  SELECT span.number, count(s.one) AS sessions
    FROM span
   CROSS JOIN LATERAL (
     SELECT 1 AS one
       FROM verification_session
      WHERE organization_id = :organization_id
        AND id >= span.lower AND id < span.upper
      ORDER BY id DESC
      LIMIT :most::integer) s
   GROUP BY span.number
), taken AS (
  SELECT bool_or(m.begun) AS begun, bool_or(m.passed) AS passed, m.method,
         s.taken
    FROM newest s
   CROSS JOIN LATERAL (
     SELECT unnest(s.methods) AS method, false AS begun, false AS passed
     UNION ALL
     SELECT s.current_method, true, false
      WHERE s.current_method IS NOT NULL
     UNION ALL
     SELECT result ->> 'method', true, result ->> 'status' = 'passed'
       FROM json_array_elements(s.results) result) m
   GROUP BY s.id, m.method, s.taken
), grouped AS (
  SELECT CASE grouping(number, jurisdiction, issuer, document_kind, browser)
           WHEN 31 THEN 'all' WHEN 15 THEN 'interval'
           WHEN 23 THEN 'jurisdiction' WHEN 27 THEN 'issuer'
           WHEN 29 THEN 'document_kind' ELSE 'browser' END AS kind,
         number,
         coalesce(jurisdiction, issuer, document_kind, browser) AS name,
         count(*) AS sessions,
         count(*) FILTER (WHERE livemode) AS live,
         count(*) FILTER (WHERE status = 'verified') AS verified,
         count(*) FILTER (WHERE status = 'failed') AS failed,
         count(*) FILTER (WHERE status IN ('cancelled', 'expired'))
           AS abandoned,
         count(*) FILTER (WHERE status = 'under_review') AS under_review,
         count(*) FILTER (WHERE begun) AS begun,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY taken) AS taken
    FROM newest
   GROUP BY GROUPING SETS ((), (number), (jurisdiction), (issuer),
                           (document_kind), (browser))
)
SELECT g.kind, coalesce(g.number::text, g.name), g.sessions, g.live,
       g.verified, g.failed, g.abandoned, g.under_review, g.taken,
       total.sessions AS total, g.begun
  FROM grouped g
  LEFT JOIN total ON total.number = g.number
 UNION ALL
SELECT 'method', method, count(*), count(*) FILTER (WHERE begun),
       count(*) FILTER (WHERE passed), 0, 0, 0,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY taken)
         FILTER (WHERE passed), NULL, 0
  FROM taken
 GROUP BY method
 UNION ALL
SELECT 'path', verification_path, count(*) FILTER (
         WHERE status = 'verified' AND NOT coalesce(
           (SELECT bool_or(result ->> 'status' = 'passed'
                           AND result ->> 'method' <> ALL (:passive::text[]))
              FROM json_array_elements(results) result), false)),
       0, 0, 0, 0, 0, NULL, NULL, 0
  FROM newest
 GROUP BY verification_path
 ORDER BY 1, 3 DESC, 2
