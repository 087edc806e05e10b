-- Whether a node is there that finds an idempotency key by its text only: one of an
-- older release, while nodes are upgraded one after the other.
EXISTS (SELECT
          FROM server_node
         WHERE NOT digests_idempotency_keys
           AND seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                         - 60000)
