-- Up to :limit failures for age before :cutoff.
@parameters cutoff, limit
DELETE FROM age_failure
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM age_failure
    WHERE failed_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
