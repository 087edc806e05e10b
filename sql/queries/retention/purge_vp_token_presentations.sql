-- Up to $2 uses of tokens from before $1.
DELETE FROM vp_token_presentation
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM vp_token_presentation
    WHERE presented_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
