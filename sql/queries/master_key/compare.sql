-- Whether the fingerprint is $1; no row while there is none.
SELECT fingerprint = $1::bytea FROM master_key WHERE id = 1
