-- Leases up to :limit due jobs to a node, which then has at most :share of each
-- organization. The organizations are found by a skip scan. The organization
-- with the fewest submissions being read comes first; among equals, the one
-- that was served the longest ago, so that a large organization does not delay
-- all others.
@parameters
    now,
    leased_until,
    node,
    limit,
    share,
    served  -- the organizations served by the node, the latest last
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
         coalesce(array_position(:served::text[], o.id), 0) AS turn
    FROM organization o
   CROSS JOIN LATERAL (
     SELECT count(*) AS everywhere,
            count(*) FILTER (WHERE leased_by = :node::text) AS here
       FROM analysis_job
      WHERE organization_id = o.id AND due_at > :now::bigint
        AND leased_by IS NOT NULL) r
   CROSS JOIN LATERAL (
     SELECT w.organization_id, w.session_id, w.id, w.due_at,
            row_number() OVER (ORDER BY w.due_at) AS place
       FROM (SELECT organization_id, session_id, id, due_at
               FROM analysis_job
              WHERE organization_id = o.id AND due_at <= :now::bigint
              ORDER BY due_at
              LIMIT 2 * :limit::integer) w) d
   WHERE d.place + r.here <= :share::integer
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
        AND w.due_at <= :now::bigint
        FOR UPDATE SKIP LOCKED) j
   LIMIT :limit::integer
)
UPDATE analysis_job j
   SET due_at = :leased_until::bigint, leased_by = :node::text,
       attempts = attempts + 1
 WHERE j.ctid = ANY (ARRAY(SELECT row FROM chosen))
RETURNING j.organization_id, j.session_id, j.id, j.method, j.submission,
          j.sides, j.attempts, j.trace
