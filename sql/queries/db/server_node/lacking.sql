-- The hosts of nodes that were seen within a minute and lack the version of the
-- master key with this fingerprint.
@parameters
    key_fingerprint,  -- hexadecimal
    limit
SELECT DISTINCT host
  FROM server_node
 WHERE seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000
   AND :key_fingerprint::text <> ALL (key_fingerprints)
 ORDER BY host
 LIMIT :limit::integer
