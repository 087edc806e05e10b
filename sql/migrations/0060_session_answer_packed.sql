-- Rows keep answers in a shorter form (version 3); what they have in the form
-- before it stays good. A release that knows that one alone makes the others
-- from the columns.
COMMENT ON COLUMN verification_session.answer IS
    'The session as its server sees it, in JSON, packed as in '
    'mod_verify/store/session_answer.def; void unless answer_xid is xmin';
COMMENT ON COLUMN verification_session.answer_version IS
    'The form of the answer, IDV_SESSION_TEXT_VERSION; void in any but a few';
