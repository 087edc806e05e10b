-- E-mail that waits to be sent, written with what it tells of. Recipient and
-- message are sealed under a key of the row's own, which the master key wraps:
-- both are gone with the row, and that is when the e-mail is sent or given up.
-- session_id and grant_id say whose erasure takes it away.
CREATE TABLE outgoing_mail (
    organization_id idv_id NOT NULL,
    session_id      idv_id NOT NULL,
    id              idv_id NOT NULL,
    grant_id        idv_id NOT NULL,
    wrapped_key     bytea NOT NULL,
    sealed          bytea NOT NULL,
    attempts        integer NOT NULL DEFAULT 0,
    due_at          bigint NOT NULL, -- the end of the lease while there is one
    leased_by       text,
    created_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id, id)
);
CREATE INDEX outgoing_mail_due ON outgoing_mail (due_at);
CREATE INDEX outgoing_mail_by_age ON outgoing_mail (created_at);
