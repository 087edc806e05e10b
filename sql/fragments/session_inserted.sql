-- Inserts a session and its answer, packed, in the format version
-- :answer_version.
    INSERT INTO verification_session (
@session_columns
       , answer, answer_version, answer_xid
    )
    SELECT
@session_values
       , :answer::text, :answer_version::smallint, pg_current_xact_id()::xid
