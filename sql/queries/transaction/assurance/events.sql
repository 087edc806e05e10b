-- What went wrong or was taken back in a period: as sessions.sql.
@parameters
    organization_id,
    since, until,  -- since <= time < until
    lower, upper   -- lower <= id of the delivery < upper
SELECT 'events' AS section, 'deliveries_failed' AS figure,
       count(*) FILTER (WHERE status = 'failed') AS n, count(*) AS total
  FROM webhook_delivery
 WHERE organization_id = :organization_id
   AND id >= :lower::text AND id < :upper::text
 UNION ALL
SELECT 'events', 'persons_erased', count(*), NULL
  FROM person_erasure
 WHERE organization_id = :organization_id
   AND created_at >= :since::bigint AND created_at < :until::bigint
 UNION ALL
SELECT 'events', 'credentials_revoked', count(*), NULL
  FROM credential
 WHERE organization_id = :organization_id
   AND revoked_at >= :since::bigint AND revoked_at < :until::bigint
 UNION ALL
SELECT 'events', 'api_keys_revoked', count(*), NULL
  FROM api_key
 WHERE organization_id = :organization_id
   AND revoked_at >= :since::bigint AND revoked_at < :until::bigint
