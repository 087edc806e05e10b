-- Up to $2 observations from before $1.
DELETE FROM risk_observation
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM risk_observation
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
