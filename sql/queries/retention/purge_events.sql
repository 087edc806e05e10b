-- Up to $2 events from before $1.
DELETE FROM event
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM event
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
