-- Only one process at a time applies set-up files.
SELECT pg_advisory_xact_lock(hashtextextended('setup', 0))
