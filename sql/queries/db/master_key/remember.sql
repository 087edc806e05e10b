-- Makes this version seal new values; a known one is unchanged.
@parameters version, fingerprint
INSERT INTO master_key (id, fingerprint)
VALUES (:version::integer, :fingerprint::bytea)
ON CONFLICT DO NOTHING
