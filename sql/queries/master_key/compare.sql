-- Whether the fingerprint is this one; no row while there is none.
@parameters fingerprint
SELECT fingerprint = :fingerprint::bytea FROM master_key WHERE id = 1
