-- Up to :limit logins that began before :cutoff.
@parameters cutoff, limit
DELETE FROM oidc_login
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM oidc_login
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
