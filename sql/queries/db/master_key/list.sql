-- Versions that have sealed something; the last one seals.
SELECT id, fingerprint, since, dropped_at FROM master_key ORDER BY id
