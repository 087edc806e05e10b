-- The number of values sealed by each version of the master key, by place.
SELECT place, version, count(*)
  FROM (SELECT 'session_data_key' AS place, get_byte(wrapped_key, 0) AS version
          FROM session_data_key
         UNION ALL
        SELECT 'webhook_endpoint', get_byte(sealed_secret, 0)
          FROM webhook_endpoint
         UNION ALL
        SELECT 'webhook_overlap', get_byte(sealed_secret, 0)
          FROM webhook_overlap
         UNION ALL
        SELECT 'idempotency_record', get_byte(sealed_response, 0)
          FROM idempotency_record
         UNION ALL
        SELECT 'reader_identity', get_byte(sealed_key, 0)
          FROM reader_identity
         WHERE sealed_key IS NOT NULL
         UNION ALL
        SELECT 'oidc_key', get_byte(sealed_key, 0)
          FROM oidc_key
         UNION ALL
        SELECT 'outgoing_mail', get_byte(wrapped_key, 0)
          FROM outgoing_mail) AS sealed
 GROUP BY place, version
 ORDER BY place, version
