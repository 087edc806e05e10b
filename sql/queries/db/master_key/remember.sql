-- From now on this version seals; one that is known stays as it is.
@parameters version, fingerprint
INSERT INTO master_key (id, fingerprint)
VALUES (:version::integer, :fingerprint::bytea)
ON CONFLICT DO NOTHING
