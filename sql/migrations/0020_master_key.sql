-- Which master key the database is used with.
CREATE TABLE master_key (
    id          integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    fingerprint bytea NOT NULL
);
COMMENT ON TABLE master_key IS
    'One row, by the first who connected: which master key this database is used with.';
COMMENT ON COLUMN master_key.fingerprint IS
    'Derived from the key, says nothing about it';
