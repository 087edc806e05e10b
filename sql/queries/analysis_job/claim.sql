-- Leases up to $4 due jobs for node $3 until $2, so that it has at most $5 of
-- each organization; $1 is now. The organizations are found by a skip scan.
-- Whose fewest submissions are being read comes first, then who was served the
-- longest ago by $6, the node's list (the last one served is its last), so that
-- nobody waits for all that another one has sent.
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
         d.place + r.everywhere AS place,
         coalesce(array_position($6::text[], o.id), 0) AS turn
    FROM organization o
   CROSS JOIN LATERAL (
     SELECT count(*) AS everywhere,
            count(*) FILTER (WHERE leased_by = $3::text) AS here
       FROM analysis_job
      WHERE organization_id = o.id AND due_at > $1::bigint
        AND leased_by IS NOT NULL) r
   CROSS JOIN LATERAL (
     SELECT w.organization_id, w.session_id, w.id, w.due_at,
            row_number() OVER (ORDER BY w.due_at) AS place
       FROM (SELECT organization_id, session_id, id, due_at
               FROM analysis_job
              WHERE organization_id = o.id AND due_at <= $1::bigint
              ORDER BY due_at
              LIMIT 2 * $4::integer) w) d
   WHERE d.place + r.here <= $5::integer
), chosen AS MATERIALIZED (
  SELECT j.row
    FROM (SELECT organization_id, session_id, id
            FROM candidate
           ORDER BY place, turn, due_at, id) c
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
