-- Up to :limit former signing secrets that expired before :cutoff.
@parameters cutoff, limit
DELETE FROM webhook_overlap
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM webhook_overlap
    WHERE ends_at <= :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
