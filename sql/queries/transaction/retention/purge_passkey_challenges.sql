-- Up to :limit challenges that had expired at :cutoff.
@parameters cutoff, limit
DELETE FROM passkey_challenge
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM passkey_challenge
    WHERE expires_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
