-- Up to :limit copies that nobody has asked for since :cutoff.
@parameters cutoff, limit
DELETE FROM revocation_list
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM revocation_list
    WHERE tried_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
