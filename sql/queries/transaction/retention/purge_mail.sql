-- Up to :limit unsent e-mails before :cutoff.
@parameters cutoff, limit
DELETE FROM outgoing_mail
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM outgoing_mail
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
