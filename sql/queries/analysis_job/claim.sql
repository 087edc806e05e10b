-- Leases up to $4 due jobs for node $3 until $2; $1 is now. The organizations
-- are found by a skip scan. Whose fewest submissions are being read comes
-- first, so that nobody waits for all that another one has sent.
WITH RECURSIVE organization AS (
  (SELECT organization_id AS id
     FROM analysis_job
    ORDER BY organization_id
    LIMIT 1)
  UNION ALL
  SELECT (SELECT j.organization_id
            FROM analysis_job j
           WHERE j.organization_id > organization.id
           ORDER BY j.organization_id
           LIMIT 1)
    FROM organization
   WHERE organization.id IS NOT NULL
), candidate AS MATERIALIZED (
  SELECT d.organization_id, d.session_id, d.id, d.due_at,
         d.place + (SELECT count(*)
                      FROM analysis_job r
                     WHERE r.organization_id = o.id AND r.due_at > $1::bigint
                       AND r.leased_by IS NOT NULL) AS place
    FROM organization o
   CROSS JOIN LATERAL (
     SELECT w.organization_id, w.session_id, w.id, w.due_at,
            row_number() OVER (ORDER BY w.due_at) AS place
       FROM (SELECT organization_id, session_id, id, due_at
               FROM analysis_job
              WHERE organization_id = o.id AND due_at <= $1::bigint
              ORDER BY due_at
              LIMIT 2 * $4::integer) w) d
), chosen AS MATERIALIZED (
  SELECT j.row
    FROM (SELECT organization_id, session_id, id
            FROM candidate
           ORDER BY place, due_at, id) c
   CROSS JOIN LATERAL (
     SELECT w.ctid AS row
       FROM analysis_job w
      WHERE w.organization_id = c.organization_id
        AND w.session_id = c.session_id AND w.id = c.id
        AND w.due_at <= $1::bigint
        FOR UPDATE SKIP LOCKED) j
   LIMIT $4::integer
)
UPDATE analysis_job j
   SET due_at = $2::bigint, leased_by = $3::text, attempts = attempts + 1
 WHERE j.ctid = ANY (ARRAY(SELECT row FROM chosen))
RETURNING j.organization_id, j.session_id, j.id, j.method, j.submission,
          j.sides, j.attempts
