-- What a server gets when it retrieves the session, as a text that is ready to be
-- sent. It counts while the row is as the transaction of the answer left it, and
-- in the form that the code writes: any other transaction that updates the row, a
-- statement of an older release or a person with psql, makes it void without
-- knowing of it. (One that writes the answer and updates the row once more has to
-- mind it.) In all rows of before the session is made from the columns.
--
-- Rows stay as they are up to 8 kB, and are not compressed above 2 kB: to take
-- one apart would cost more than its bytes.
ALTER TABLE verification_session
    ADD COLUMN answer text,
    ADD COLUMN answer_version smallint,
    ADD COLUMN answer_xid xid,
    SET (toast_tuple_target = 8160);
COMMENT ON COLUMN verification_session.answer IS
    'The session as its server sees it, in JSON; void unless answer_xid is xmin';
COMMENT ON COLUMN verification_session.answer_version IS
    'The form of the answer, IDV_SESSION_TEXT_VERSION; void in any other';
COMMENT ON COLUMN verification_session.answer_xid IS
    'The transaction that wrote the answer';
