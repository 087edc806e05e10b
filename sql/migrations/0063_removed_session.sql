-- Whose a removed session was, as long as something tells of it.
CREATE TABLE removed_session (
    organization_id    idv_id NOT NULL,
    session_id         idv_id NOT NULL,
    verified_person_id idv_id,
    email_digest       bytea,
    phone_digest       bytea,
    has_credential     boolean NOT NULL,
    changed_at         bigint NOT NULL,
    PRIMARY KEY (organization_id, session_id)
);
COMMENT ON TABLE removed_session IS
    'Sessions that were removed while there were events of theirs, or a credential '
    'of nobody: by it the erasure of a person finds these.';
COMMENT ON COLUMN removed_session.verified_person_id IS
    'Who was verified; NULL: the digests tell whom the session named';
COMMENT ON COLUMN removed_session.has_credential IS
    'Whether there is a credential of the session, which has no person';
COMMENT ON COLUMN removed_session.changed_at IS
    'The last change of the session: no event of it is younger';

CREATE INDEX removed_session_by_person
    ON removed_session (organization_id, verified_person_id)
    WHERE verified_person_id IS NOT NULL;
CREATE INDEX removed_session_by_email
    ON removed_session (organization_id, email_digest)
    WHERE email_digest IS NOT NULL;
CREATE INDEX removed_session_by_phone
    ON removed_session (organization_id, phone_digest)
    WHERE phone_digest IS NOT NULL;
CREATE INDEX removed_session_age
    ON removed_session (changed_at) WHERE NOT has_credential;
