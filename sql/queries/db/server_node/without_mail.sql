-- Whether a node that was seen within a minute sends no e-mail.
SELECT EXISTS (SELECT
                 FROM server_node
                WHERE NOT sends_mail
                  AND seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                                - 60000)
