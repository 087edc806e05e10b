-- Up to :limit simulation jobs that ended before :cutoff, with their lists.
@parameters cutoff, limit
WITH old AS MATERIALIZED (
  SELECT organization_id, id
    FROM workflow_replay
   WHERE ended_at < :cutoff::bigint
   LIMIT :limit::integer
     FOR UPDATE SKIP LOCKED
), listed AS (
  DELETE FROM workflow_replay_session s
   USING old
   WHERE s.organization_id = old.organization_id AND s.replay_id = old.id
), waited AS (
  DELETE FROM workflow_shadow_session q
   USING old
   WHERE q.organization_id = old.organization_id AND q.replay_id = old.id
)
DELETE FROM workflow_replay r
 USING old
 WHERE r.organization_id = old.organization_id AND r.id = old.id
