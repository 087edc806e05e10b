-- Up to :limit copies that were not used since :cutoff; those that an operator
-- imported stay (store/trust/revocation_list.h).
@parameters cutoff, limit
DELETE FROM revocation_list
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM revocation_list
    WHERE tried_at < :cutoff::bigint
      AND address NOT LIKE 'csca:%'
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
