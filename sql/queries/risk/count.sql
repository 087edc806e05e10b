-- How often each identifier was assessed since :since, at most as often as the
-- limits say; and how many other persons came with the device since
-- :device_since, in its newest thousand uses.
@parameters
    organization_id,
    ip_digest, email_digest, phone_digest, device_digest,  -- NULL: none
    since,
    hours,          -- all since then, which the index is ordered by
    device_since,   -- before :since
    person_digest,  -- the person who is not another one; NULL: nobody
    ip_limit, email_limit, phone_limit, device_limit
SELECT (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = :organization_id
             AND hour = ANY (:hours::bigint[])
             AND ip_digest = :ip_digest::bytea AND created_at > :since::bigint
           LIMIT :ip_limit::integer) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = :organization_id
             AND hour = ANY (:hours::bigint[])
             AND email_digest = :email_digest::bytea
             AND created_at > :since::bigint
           LIMIT :email_limit::integer) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = :organization_id
             AND hour = ANY (:hours::bigint[])
             AND phone_digest = :phone_digest::bytea
             AND created_at > :since::bigint
           LIMIT :phone_limit::integer) seen),
       least(count(*) FILTER (WHERE device.created_at > :since::bigint),
             :device_limit::integer),
       count(DISTINCT device.person_digest)
         FILTER (WHERE device.person_digest
                         IS DISTINCT FROM :person_digest::bytea)
  FROM (SELECT created_at, person_digest
          FROM risk_observation
         WHERE organization_id = :organization_id
           AND device_digest = :device_digest::bytea
           AND created_at > :device_since::bigint
         ORDER BY created_at DESC
         LIMIT greatest(1000, :device_limit::integer)) device
