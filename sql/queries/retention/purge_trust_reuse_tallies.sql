-- Up to $2 counts of hours that began before $1.
DELETE FROM trust_reuse_tally
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM trust_reuse_tally
    WHERE hour < $1::bigint / 3600000
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
