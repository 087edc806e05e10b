INSERT INTO master_key (fingerprint) VALUES ($1::bytea) ON CONFLICT DO NOTHING
