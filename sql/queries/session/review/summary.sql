-- The open reviews of an organization in numbers: by the time until their deadline,
-- by workflow and by reason (review_queue_reason.sql). The first :limit by deadline
-- are counted.
@parameters
    organization_id, now,
    limit
WITH open AS MATERIALIZED (
    SELECT s.workflow_id, s.review_deadline_at AS deadline_at,
@review_queue_reason
           AS reason
      FROM verification_session s
     WHERE s.organization_id = :organization_id AND s.status = 'under_review'
     ORDER BY s.review_deadline_at, s.id
     LIMIT :limit::integer
)
SELECT json_build_object(
    'total', (SELECT count(*) FROM open),
    'is_whole', (SELECT count(*) FROM open) < :limit::integer,
    'deadlines', (
        SELECT json_agg(json_build_object(
                   'within_hours', h.hours,
                   'count', (SELECT count(*) FROM open
                              WHERE deadline_at
                                    <= :now::bigint + h.hours * 3600000))
               ORDER BY h.hours)
          FROM (VALUES (4::bigint), (24), (72)) h (hours)),
    'workflows', coalesce((
        SELECT json_agg(json_build_object(
                   'workflow_id', w.workflow_id, 'name', w.name,
                   'count', w.n, 'next_deadline_at', w.next / 1000)
               ORDER BY w.next)
          FROM (SELECT o.workflow_id, f.name, count(*) AS n,
                       min(o.deadline_at) AS next
                  FROM open o
                  LEFT JOIN workflow f
                         ON f.organization_id = :organization_id
                        AND f.id = o.workflow_id
                 GROUP BY o.workflow_id, f.name) w), '[]'),
    'reasons', coalesce((
        SELECT json_agg(json_build_object('reason', r.reason, 'count', r.n)
               ORDER BY r.n DESC, r.reason)
          FROM (SELECT reason, count(*) AS n
                  FROM open
                 GROUP BY reason) r), '[]'))
