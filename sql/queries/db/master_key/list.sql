-- Versions that have sealed values; new values use the last one.
SELECT id, fingerprint, since, dropped_at FROM master_key ORDER BY id
