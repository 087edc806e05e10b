-- The job that has waited longest, leased to :node. A lease of the node itself
-- was left by one of its processes that died. A shadow has nothing to do until
-- a session waits for it, or its time is over: only open shadows with something
-- to do are read, and one is locked.
@parameters
    now, node, lease,
    settled  -- no session that ended by then can be on its way to a shadow
@waited_for
, due AS (
  SELECT organization_id, id AS replay_id
    FROM workflow_replay
   WHERE ended_at IS NULL AND NOT is_shadow
  UNION ALL
  SELECT organization_id, id
    FROM workflow_replay
   WHERE ended_at IS NULL AND is_shadow AND until_at <= :settled::bigint
  UNION ALL
  SELECT organization_id, replay_id
    FROM waited_for
)
UPDATE workflow_replay r
   SET status = 'running', attempts = r.attempts + 1, leased_by = :node::text,
       leased_until = :now::bigint + :lease::bigint, updated_at = :now::bigint
  FROM (SELECT locked.*
          FROM (SELECT w.*
                  FROM due
                 CROSS JOIN LATERAL (
                       SELECT o.organization_id, o.id, o.updated_at
                         FROM workflow_replay o
                        WHERE o.organization_id = due.organization_id
                          AND o.id = due.replay_id
                       OFFSET 0) w
                 ORDER BY w.updated_at) w
         CROSS JOIN LATERAL (
               SELECT l.organization_id, l.id
                 FROM workflow_replay l
                WHERE l.organization_id = w.organization_id AND l.id = w.id
                  AND l.ended_at IS NULL
                  AND (l.leased_until IS NULL OR l.leased_until < :now::bigint
                       OR l.leased_by = :node::text
                       OR l.is_shadow AND l.leased_by IS NULL)
                  FOR UPDATE SKIP LOCKED) locked
         LIMIT 1) claimed
 WHERE r.organization_id = claimed.organization_id AND r.id = claimed.id
RETURNING
@workflow_replay_columns
       , r.attempts, r.compiled
