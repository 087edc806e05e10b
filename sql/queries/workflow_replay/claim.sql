-- The job that has waited longest, for :node alone until the lease ends. What
-- the node itself has leased was left by a process of its that died.
@parameters now, node, lease
UPDATE workflow_replay r
   SET status = 'running', attempts = r.attempts + 1, leased_by = :node::text,
       leased_until = :now::bigint + :lease::bigint, updated_at = :now::bigint
  FROM (SELECT organization_id, id
          FROM workflow_replay
         WHERE ended_at IS NULL
           AND (leased_until IS NULL OR leased_until < :now::bigint
                OR leased_by = :node::text)
         ORDER BY updated_at
         LIMIT 1
           FOR UPDATE SKIP LOCKED) due
 WHERE r.organization_id = due.organization_id AND r.id = due.id
RETURNING
@workflow_replay_columns
       , r.attempts, r.compiled
