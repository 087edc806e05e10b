-- Whether there may be a node that finds an idempotency key only by its text: a
-- node of an older release reports so, and one older than that is assumed for
-- an hour after the migration, while nodes are upgraded one by one.
(EXISTS (SELECT
           FROM server_node
          WHERE NOT digests_idempotency_keys
            AND seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                          - 60000)
 OR EXISTS (SELECT
              FROM schema_migration m
             WHERE m.version = 72
               AND m.applied_at > now() - interval '1 hour'
               AND EXISTS (SELECT
                             FROM organization o
                            WHERE o.created_at
                                  < (extract(epoch FROM m.applied_at) * 1000)::bigint)))
