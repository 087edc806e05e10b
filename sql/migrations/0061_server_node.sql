-- Which servers are there, and what they have.
CREATE TABLE server_node (
    id               text PRIMARY KEY,
    node             text NOT NULL,
    host             text NOT NULL,
    key_fingerprints text[] NOT NULL,
    sends_mail       boolean NOT NULL,
    seen_at          bigint NOT NULL
);
COMMENT ON TABLE server_node IS
    'Watchdogs that are at work, each a row, which it writes every few seconds';
COMMENT ON COLUMN server_node.node IS
    'The server process; watchdogs that follow each other have the same';
COMMENT ON COLUMN server_node.key_fingerprints IS
    'Of each version in its file of the master key, hexadecimal';
COMMENT ON COLUMN server_node.seen_at IS
    'By the clock of the database; one not seen for a minute has gone';
