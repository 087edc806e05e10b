-- Evidence is purged when its session ends. This removes leftovers of uploads
-- that raced with the end: up to :limit keys of sessions that ended before
-- :cutoff, with their images. Evidence for a second review is kept until that
-- has lapsed.
@parameters cutoff, limit
WITH forgotten AS (
  DELETE FROM session_data_key
   WHERE ctid = ANY (ARRAY(
     SELECT k.ctid
       FROM session_data_key k
       JOIN verification_session s
         ON s.organization_id = k.organization_id AND s.id = k.session_id
      WHERE s.status IN
@session_ended
        AND s.updated_at < :cutoff::bigint
        AND NOT EXISTS (
            SELECT FROM second_review r
             WHERE r.organization_id = k.organization_id
               AND r.session_id = k.session_id
               AND r.decided_at IS NULL AND r.lapsed_at IS NULL)
      LIMIT :limit::integer
        FOR UPDATE OF k SKIP LOCKED))
  RETURNING organization_id, session_id
), challenges AS (
  DELETE FROM liveness_challenge c
   USING forgotten f
   WHERE c.organization_id = f.organization_id AND c.session_id = f.session_id
), images AS (
  DELETE FROM evidence e
   USING forgotten f
   WHERE e.organization_id = f.organization_id AND e.session_id = f.session_id
), asked AS (
  DELETE FROM mdl_request m
   USING forgotten f
   WHERE m.organization_id = f.organization_id AND m.session_id = f.session_id
)
SELECT count(*) FROM forgotten
