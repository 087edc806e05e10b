-- Up to :limit codes that had expired at :cutoff.
@parameters cutoff, limit
DELETE FROM email_otp
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM email_otp
    WHERE expires_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
