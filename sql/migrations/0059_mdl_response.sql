-- What comes to a request by a link is opened before it is the answer.
ALTER TABLE mdl_request
    ADD COLUMN opening idv_id,
    ADD COLUMN offered bytea,
    ADD COLUMN refused integer NOT NULL DEFAULT 0 CHECK (refused >= 0);
COMMENT ON COLUMN mdl_request.opening IS
    'The analysis job that opens what was offered as the answer; NULL: nothing was';
COMMENT ON COLUMN mdl_request.offered IS
    'What was offered, under the session''s data key';
COMMENT ON COLUMN mdl_request.refused IS
    'How often what was offered was no answer to this request';
COMMENT ON COLUMN mdl_request.return_digest IS
    'SHA-256 of the code with which the wallet sends the person back, of what was '
    'offered or has become the answer';
