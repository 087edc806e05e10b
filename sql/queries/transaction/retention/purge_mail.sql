-- Up to :limit e-mails from before :cutoff that nothing could send.
@parameters cutoff, limit
DELETE FROM outgoing_mail
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM outgoing_mail
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
