-- Up to :limit uses of tokens before :cutoff.
@parameters cutoff, limit
DELETE FROM vp_token_presentation
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM vp_token_presentation
    WHERE presented_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
