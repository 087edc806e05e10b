-- The job that has waited longest, for :node alone until the lease ends. What
-- the node itself has leased was left by a process of its that died. A shadow
-- has nothing to do until a session waits for it, or its time is over.
@parameters
    now, node, lease,
    settled  -- no session that ended by then can be on its way to a shadow
UPDATE workflow_replay r
   SET status = 'running', attempts = r.attempts + 1, leased_by = :node::text,
       leased_until = :now::bigint + :lease::bigint, updated_at = :now::bigint
  FROM (SELECT organization_id, id
          FROM workflow_replay w
         WHERE ended_at IS NULL
           AND (leased_until IS NULL OR leased_until < :now::bigint
                OR leased_by = :node::text
                OR is_shadow AND leased_by IS NULL)
           AND (NOT is_shadow OR until_at <= :settled::bigint
                OR (SELECT true
                      FROM workflow_shadow_session q
                     WHERE q.organization_id = w.organization_id
                       AND q.replay_id = w.id
                     ORDER BY q.session_id
                     LIMIT 1))
         ORDER BY updated_at
         LIMIT 1
           FOR UPDATE OF w SKIP LOCKED) due
 WHERE r.organization_id = due.organization_id AND r.id = due.id
RETURNING
@workflow_replay_columns
       , r.attempts, r.compiled
