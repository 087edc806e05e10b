-- Up to :limit handoffs of sessions that ended before :cutoff.
@parameters cutoff, limit
DELETE FROM handoff
 WHERE ctid = ANY (ARRAY(
   SELECT h.ctid
     FROM handoff h
     JOIN verification_session s
       ON s.organization_id = h.organization_id AND s.id = h.session_id
    WHERE s.status IN
@session_ended
      AND s.updated_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE OF h SKIP LOCKED))
