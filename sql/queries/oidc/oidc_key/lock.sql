-- Only one process at a time changes the keys.
SELECT pg_advisory_xact_lock(hashtextextended('oidc keys', 0))
