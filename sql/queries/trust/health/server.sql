-- The state of the database itself: its clock in milliseconds, whether it is
-- read-only, its connections and their maximum, transactions since the last
-- vacuum; live organizations, and trust lists in use; the bytes of the sessions
-- with their primary key, and of the buffers.
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
       current_setting('transaction_read_only')::boolean,
       (SELECT count(*)
          FROM pg_stat_activity
         WHERE backend_type = 'client backend'),
       current_setting('max_connections')::integer
       - current_setting('superuser_reserved_connections')::integer,
       (SELECT age(datfrozenxid)
          FROM pg_database
         WHERE datname = current_database()),
       (SELECT count(*)
          FROM organization
         WHERE NOT sandbox AND disabled_at IS NULL),
       EXISTS (SELECT
                 FROM trust_list
                WHERE current_version_id IS NOT NULL),
       pg_relation_size('verification_session')
       + pg_relation_size('verification_session_pkey'),
       pg_size_bytes(current_setting('shared_buffers'))
