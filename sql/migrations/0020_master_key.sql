-- Which master key the database is used with: a value derived from it, which
-- says nothing about it. The first who connects writes it.
CREATE TABLE master_key (
    id          integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    fingerprint bytea NOT NULL
);
