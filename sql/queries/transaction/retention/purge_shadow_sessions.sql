-- Up to :limit sessions that wait for a shadow that ended by :cutoff, or that
-- no longer exists: their end was under way when the shadow was stopped. The
-- shadows are visited one by one, however many sessions wait for each.
@parameters cutoff, limit
DELETE FROM workflow_shadow_session
 WHERE ctid = ANY (ARRAY(
@waited_for
   SELECT q.ctid
     FROM waited_for w
    CROSS JOIN LATERAL (
          SELECT s.ctid
            FROM workflow_shadow_session s
           WHERE s.organization_id = w.organization_id
             AND s.replay_id = w.replay_id
           LIMIT :limit::integer
             FOR UPDATE SKIP LOCKED) q
    WHERE (SELECT r.id
             FROM workflow_replay r
            WHERE r.organization_id = w.organization_id AND r.id = w.replay_id
              AND (r.ended_at IS NULL OR r.ended_at > :cutoff::bigint)) IS NULL
    LIMIT :limit::integer))
