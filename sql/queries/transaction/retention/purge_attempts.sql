-- Up to :limit records of attempts, none of them after :cutoff.
@parameters cutoff, limit
DELETE FROM reuse_attempt
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM reuse_attempt
    WHERE updated_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
