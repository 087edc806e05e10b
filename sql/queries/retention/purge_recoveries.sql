-- Up to $2 recoveries that ended before $1.
DELETE FROM webhook_recovery
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM webhook_recovery
    WHERE finished_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
