-- Up to :limit counts of hours that began before :cutoff.
@parameters cutoff, limit
DELETE FROM trust_reuse_tally
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM trust_reuse_tally
    WHERE hour < :cutoff::bigint / 3600000
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
