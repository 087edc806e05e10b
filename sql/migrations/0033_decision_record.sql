-- What each decision of a method looked at, and what it rests on.
CREATE TABLE decision_record (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    submission      integer NOT NULL CHECK (submission > 0),
    method          text NOT NULL,
    verdict         text NOT NULL CHECK (verdict IN ('passed', 'failed',
                                                     'undetermined',
                                                     'unreadable')),
    record          json NOT NULL,
    decided_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, submission)
);
COMMENT ON TABLE decision_record IS
    'Checks of each submission, and the versions that its decision rests on.';
COMMENT ON COLUMN decision_record.record IS
    'Checks, doubts, hint, error, basis (store/decision_record.h); no personal '
    'data';

-- Lists of revoked certificates and documents, as their issuers publish them.
CREATE TABLE revocation_list (
    address_digest bytea PRIMARY KEY CHECK (octet_length(address_digest) = 32),
    address        text NOT NULL,
    body           bytea,
    fetched_at     bigint,
    tried_at       bigint NOT NULL,
    error          text,
    CHECK ((body IS NULL) = (fetched_at IS NULL))
);
CREATE INDEX revocation_list_by_age ON revocation_list USING brin (tried_at);
COMMENT ON TABLE revocation_list IS
    'Copies of public lists, by the SHA-256 of their address. Signatures are '
    'checked whenever a copy is used.';
COMMENT ON COLUMN revocation_list.body IS
    'What came last; NULL: nothing ever did';
COMMENT ON COLUMN revocation_list.error IS
    'Why the last attempt brought nothing; NULL: it did';
