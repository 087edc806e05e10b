-- Says that a node is there, and what it has. Its predecessors are removed, which
-- may have ended without the database, and others that said nothing for a day.
@parameters id, node, host, key_fingerprints, sends_mail
WITH clock AS (
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
), gone AS (
  DELETE FROM server_node
   WHERE id <> :id::text
     AND (node = :node::text
          OR seen_at < (SELECT now FROM clock) - 86400000)
)
INSERT INTO server_node (id, node, host, key_fingerprints, sends_mail, seen_at)
SELECT :id::text, :node::text, :host::text, :key_fingerprints::text[],
       :sends_mail::boolean, now
  FROM clock
ON CONFLICT (id) DO UPDATE
   SET host = excluded.host, key_fingerprints = excluded.key_fingerprints,
       sends_mail = excluded.sends_mail, seen_at = excluded.seen_at
