-- Up to :limit stored answers before :cutoff.
@parameters cutoff, limit
DELETE FROM idempotency_record
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM idempotency_record
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
