-- Reports that a node is up, and its properties. Removes records of watchdogs
-- of the same server that ended while the database was away, and records that
-- were not renewed for a day. During a reload two watchdogs of a server are up:
-- those that report, every 15 s, stay.
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
