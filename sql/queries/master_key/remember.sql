@parameters fingerprint
INSERT INTO master_key (fingerprint) VALUES (:fingerprint::bytea)
ON CONFLICT DO NOTHING
