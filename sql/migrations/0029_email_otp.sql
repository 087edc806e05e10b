-- The code by which a session's person proves an e-mail address. The code itself
-- is made of seed, session and address by a key of the server, and is not kept.
CREATE TABLE email_otp (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    address_digest  bytea NOT NULL,
    seed            bytea NOT NULL,
    tries           integer NOT NULL DEFAULT 0,
    sent_at         bigint NOT NULL,
    expires_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id)
) WITH (fillfactor = 70);
CREATE INDEX email_otp_by_age ON email_otp (expires_at);
COMMENT ON TABLE email_otp IS
    'Codes that persons were sent, or believe they were, to prove an address.';
COMMENT ON COLUMN email_otp.address_digest IS
    'HMAC of the address that the person typed, under a key of the server';
COMMENT ON COLUMN email_otp.seed IS 'Random; the code is made of it';
COMMENT ON COLUMN email_otp.tries IS 'How often the code was typed';

-- E-mail that tells of no grant, and is of no use after a time.
ALTER TABLE outgoing_mail
    ALTER grant_id DROP NOT NULL,
    ADD COLUMN useless_at bigint;
COMMENT ON COLUMN outgoing_mail.grant_id IS 'NULL: it tells of no grant';
COMMENT ON COLUMN outgoing_mail.useless_at IS
    'From then on it is not sent any more; NULL: there is no such time';
