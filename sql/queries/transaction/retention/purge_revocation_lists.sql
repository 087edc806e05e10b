-- Up to :limit copies that nobody has asked for since :cutoff; what an operator
-- imported stays (store/trust/revocation_list.h).
@parameters cutoff, limit
DELETE FROM revocation_list
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM revocation_list
    WHERE tried_at < :cutoff::bigint
      AND address NOT LIKE 'csca:%'
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
