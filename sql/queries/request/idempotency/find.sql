-- A record of an earlier release contains the text of the key and expires with
-- age. Each key is searched by itself: with few rows so far, one condition for
-- both would not take part in the search of the index.
@parameters
    organization_id, application_id, route, key,
    former_key,      -- the key as earlier releases stored it
    outdated_until  -- records up to this time are invalid
SELECT r.request_digest, r.status, r.sealed_response, r.key
  FROM (SELECT *
          FROM idempotency_record
         WHERE organization_id = :organization_id
           AND application_id = :application_id
           AND route = :route AND key = :key
         UNION ALL
        SELECT *
          FROM idempotency_record
         WHERE organization_id = :organization_id
           AND application_id = :application_id
           AND route = :route AND key = :former_key) r
 WHERE r.created_at > :outdated_until::bigint
 ORDER BY r.key = :key DESC
 LIMIT 1
