-- Up to $2 records of attempts, none of them after $1.
DELETE FROM reuse_attempt
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM reuse_attempt
    WHERE updated_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
