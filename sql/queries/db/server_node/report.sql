-- Says that a node is there, and what it has. What watchdogs of the same server left
-- that ended without the database is removed, and what others have not renewed for a
-- day. A reload has two of a server at work: whoever reports, every 15 s, stays.
@parameters id, node, host, key_fingerprints, sends_mail
WITH clock AS (
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
), gone AS (
  DELETE FROM server_node
   WHERE id <> :id::text
     AND (node = :node::text AND seen_at < (SELECT now FROM clock) - 20000
          OR seen_at < (SELECT now FROM clock) - 86400000)
)
INSERT INTO server_node (id, node, host, key_fingerprints, sends_mail,
                         digests_idempotency_keys, seen_at)
SELECT :id::text, :node::text, :host::text, :key_fingerprints::text[],
       :sends_mail::boolean, true, now
  FROM clock
ON CONFLICT (id) DO UPDATE
   SET host = excluded.host, key_fingerprints = excluded.key_fingerprints,
       sends_mail = excluded.sends_mail,
       digests_idempotency_keys = true, seen_at = excluded.seen_at
