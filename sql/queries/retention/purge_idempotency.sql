-- Up to $2 stored answers from before $1.
DELETE FROM idempotency_record
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM idempotency_record
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
