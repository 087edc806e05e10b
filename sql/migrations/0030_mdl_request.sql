-- What wallets were asked: one row for each protocol of a request.
CREATE TABLE mdl_request (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    protocol        text NOT NULL
        CHECK (protocol IN ('redirect', 'openid4vp-v1-signed', 'org-iso-mdoc')),
    session_id      idv_id NOT NULL,
    sealed          bytea NOT NULL,
    created_at      bigint NOT NULL,
    expires_at      bigint NOT NULL,
    answered_at     bigint,
    submission      integer,
    return_digest   bytea,
    returned_at     bigint,
    verdict         text CHECK (verdict IN ('accepted', 'refused')),
    reason          text,
    PRIMARY KEY (organization_id, id, protocol)
);
CREATE INDEX mdl_request_by_session
    ON mdl_request (organization_id, session_id, id);
COMMENT ON TABLE mdl_request IS
    'What wallets were asked, until the session ends; answered once.';
COMMENT ON COLUMN mdl_request.protocol IS
    'redirect, or the protocol of the Digital Credentials API';
COMMENT ON COLUMN mdl_request.sealed IS
    'The request with its nonce and private key, under the session''s data key';
COMMENT ON COLUMN mdl_request.submission IS
    'Of the session, which the answer is; NULL: not answered';
COMMENT ON COLUMN mdl_request.return_digest IS
    'SHA-256 of the code with which the wallet sends the person back';
COMMENT ON COLUMN mdl_request.returned_at IS
    'When the browser of the session came back with that code';
COMMENT ON COLUMN mdl_request.verdict IS
    'What the wallet is told: accepted or refused; NULL: not known yet';
COMMENT ON COLUMN mdl_request.reason IS
    'Code of the first thing that is wrong with a refused answer';
