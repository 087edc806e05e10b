-- Up to :limit observations before :cutoff.
@parameters cutoff, limit
DELETE FROM risk_observation
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM risk_observation
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
