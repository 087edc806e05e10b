-- Up to $2 risk assessments from before $1.
DELETE FROM risk_assessment
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM risk_assessment
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
