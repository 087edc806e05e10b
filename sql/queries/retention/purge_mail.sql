-- Up to $2 e-mails from before $1 that nothing could send.
DELETE FROM outgoing_mail
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM outgoing_mail
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
