-- The number of persons who came with each identifier since :since, including
-- the current one, up to one more than the limits; and with the device since
-- :device_since. At most 1000 uses of each identifier are examined, of the
-- device the newest. Persons are distinguished by the other identifiers of a
-- use; a use without any counts for nobody. For an address, only persons
-- without a device of their own count. Also whether somebody failed for age
-- with the address and with the device, and the entries of the operator's
-- lists.
@parameters
    organization_id,
    ip_digest, email_digest, phone_digest, device_digest,  -- NULL: none
    since,
    hours,          -- all since then, which the index is ordered by
    device_since,   -- before :since
    person_digest,  -- the current person by e-mail, else phone; or NULL
    ip_limit, email_limit, phone_limit, device_limit,
    ip_failed_since, device_failed_since,
    ip_listed, email_listed, phone_listed, device_listed, domain_listed,
    now
WITH at_address AS MATERIALIZED (
    SELECT o.person_digest AS person, o.device_digest AS device
      FROM (SELECT person_digest, device_digest
              FROM risk_observation
             WHERE organization_id = :organization_id
               AND hour = ANY (:hours::bigint[])
               AND ip_digest = :ip_digest::bytea
               AND coalesce(person_digest, device_digest) IS NOT NULL
               AND created_at > :since::bigint
             LIMIT 1000) o
     UNION ALL
    SELECT :person_digest::bytea, :device_digest::bytea
     WHERE :ip_digest::bytea IS NOT NULL
), of_device AS MATERIALIZED (
    SELECT created_at, person_digest
      FROM (SELECT created_at, person_digest
              FROM risk_observation
             WHERE organization_id = :organization_id
               AND device_digest = :device_digest::bytea
               AND created_at > :device_since::bigint
             ORDER BY created_at DESC
             LIMIT 1000) o
     UNION ALL
    SELECT :now::bigint, :person_digest::bytea
)
SELECT (SELECT least(count(DISTINCT coalesce(a.person, a.device)),
                     :ip_limit::integer + 1)
          FROM at_address a
          LEFT JOIN (SELECT device
                       FROM at_address
                      WHERE device IS NOT NULL
                      GROUP BY device
                     HAVING count(DISTINCT person) <= 1) own USING (device)
         WHERE own.device IS NULL),
       (SELECT least(count(DISTINCT coalesce(phone_digest, device_digest,
                                             ip_digest)),
                     :email_limit::integer + 1)
          FROM (SELECT *
                  FROM (SELECT phone_digest, device_digest, ip_digest
                          FROM risk_observation
                         WHERE organization_id = :organization_id
                           AND hour = ANY (:hours::bigint[])
                           AND email_digest = :email_digest::bytea
                           AND created_at > :since::bigint
                         LIMIT 1000) o
                 UNION ALL
                SELECT :phone_digest::bytea, :device_digest::bytea,
                       :ip_digest::bytea) e),
       (SELECT least(count(DISTINCT coalesce(email_digest, device_digest,
                                             ip_digest)),
                     :phone_limit::integer + 1)
          FROM (SELECT *
                  FROM (SELECT email_digest, device_digest, ip_digest
                          FROM risk_observation
                         WHERE organization_id = :organization_id
                           AND hour = ANY (:hours::bigint[])
                           AND phone_digest = :phone_digest::bytea
                           AND created_at > :since::bigint
                         LIMIT 1000) o
                 UNION ALL
                SELECT :email_digest::bytea, :device_digest::bytea,
                       :ip_digest::bytea) p),
       (SELECT least(count(DISTINCT person_digest), :device_limit::integer + 1)
          FROM of_device WHERE created_at > :since::bigint),
       (SELECT count(DISTINCT person_digest) FROM of_device),
       EXISTS (SELECT
                 FROM age_failure
                WHERE organization_id = :organization_id
                  AND digest = :ip_digest::bytea
                  AND failed_at > :ip_failed_since::bigint),
       EXISTS (SELECT
                 FROM age_failure
                WHERE organization_id = :organization_id
                  AND digest = :device_digest::bytea
                  AND failed_at > :device_failed_since::bigint),
       (SELECT listing FROM risk_list_entry
         WHERE organization_id = :organization_id
           AND digest = :ip_listed::bytea
           AND coalesce(expires_at > :now::bigint, true)),
       coalesce((SELECT listing FROM risk_list_entry
                  WHERE organization_id = :organization_id
                    AND digest = :email_listed::bytea
                    AND coalesce(expires_at > :now::bigint, true)),
                (SELECT listing FROM risk_list_entry
                  WHERE organization_id = :organization_id
                    AND digest = :domain_listed::bytea
                    AND coalesce(expires_at > :now::bigint, true))),
       (SELECT listing FROM risk_list_entry
         WHERE organization_id = :organization_id
           AND digest = :phone_listed::bytea
           AND coalesce(expires_at > :now::bigint, true)),
       (SELECT listing FROM risk_list_entry
         WHERE organization_id = :organization_id
           AND digest = :device_listed::bytea
           AND coalesce(expires_at > :now::bigint, true))
