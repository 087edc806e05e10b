-- The shadows that a session waits for, each by one index lookup.
WITH RECURSIVE waited_for AS (
  (SELECT organization_id, replay_id
     FROM workflow_shadow_session
    ORDER BY organization_id, replay_id
    LIMIT 1)
  UNION ALL
  SELECT next.organization_id, next.replay_id
    FROM waited_for w
   CROSS JOIN LATERAL (
         SELECT q.organization_id, q.replay_id
           FROM workflow_shadow_session q
          WHERE (q.organization_id, q.replay_id)
                > (w.organization_id, w.replay_id)
          ORDER BY q.organization_id, q.replay_id
          LIMIT 1) next
)
