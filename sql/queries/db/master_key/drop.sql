@parameters version, now
UPDATE master_key SET dropped_at = :now::bigint
 WHERE id = :version::integer AND dropped_at IS NULL
